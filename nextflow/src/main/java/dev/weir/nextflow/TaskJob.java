package dev.weir.nextflow;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.model.TaskNeeds;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nextflow.executor.res.AcceleratorResource;
import nextflow.processor.TaskBean;
import nextflow.processor.TaskConfig;
import nextflow.processor.TaskRun;
import nextflow.script.params.FileOutParam;
import org.jspecify.annotations.Nullable;

/**
 * A task as a job: its wrapper, script and inputs are staged into the sandbox, and its outputs are
 * found by their patterns when it ends.
 */
final class TaskJob {

  /** Programs of the pipeline are in this directory of the sandbox. */
  static final String PROGRAMS = ".nextflow-bin";

  /** The file of a container image is in this directory of the sandbox. */
  private static final String IMAGES = ".nextflow-image/";

  private final TaskRun task;
  private final TaskBean bean;
  private final StagedInputs inputs;
  private final List<Path> programs;

  private TaskJob(TaskRun task, TaskBean bean, StagedInputs inputs, List<Path> programs) {
    this.task = task;
    this.bean = bean;
    this.inputs = inputs;
    this.programs = programs;
  }

  /**
   * Looks up the inputs of a task.
   *
   * @param programs of the pipeline, in HDFS
   * @throws IllegalArgumentException when a directive of the task is not supported
   */
  static TaskJob of(TaskRun task, List<Path> programs) throws IOException {
    requireSupported(task);
    TaskBean bean = new TaskBean(task);
    return new TaskJob(task, bean, StagedInputs.of(bean.getInputFiles()), programs);
  }

  private static void requireSupported(TaskRun task) {
    TaskConfig config = task.getConfig();
    String install = "install the programs on the nodes, and disable ";
    refuse(task, "conda", task.getCondaEnv() != null, install + "conda");
    refuse(task, "spack", task.getSpackEnv() != null, install + "spack");
    refuse(
        task,
        "secret",
        config.get("secret") != null,
        "remove the directive, and start the session with --secret NAME");
    if (!(task.getTargetDir() instanceof HdfsPath)) {
      throw new IllegalArgumentException(
          "The process "
              + task.getProcessor().getName()
              + " has the storeDir "
              + task.getTargetDir()
              + ", which nodes do not share: write hdfs:///PATH");
    }
  }

  private static void refuse(TaskRun task, String directive, boolean isUsed, String remedy) {
    if (isUsed) {
      throw new IllegalArgumentException(
          "The executor weir does not support '"
              + directive
              + "', which the process "
              + task.getProcessor().getName()
              + " has: "
              + remedy);
    }
  }

  /** Returns the writer of the task's wrapper and script. */
  TaskWrapper wrapper() {
    return new TaskWrapper(bean, task.getWorkDir(), inputs.links(), !programs.isEmpty());
  }

  Job job(String id) {
    return new Job(
        id,
        task.getProcessor().getName(),
        List.of("/bin/bash", TaskRun.CMD_RUN),
        Map.of(),
        inputs(),
        outputs(),
        patterns().stream().map(name -> file(task.getTargetDir(), name)).toList(),
        options(task.getConfig(), image()));
  }

  private String image() {
    if (!task.isContainerEnabled()) {
      return "";
    }
    return imageFile(String.valueOf(task.getConfig().get("container")))
        .map(JobFile::name)
        .orElseGet(() -> String.valueOf(task.getContainer()));
  }

  /**
   * Returns the input that is the image of a process, if it is a file in HDFS.
   *
   * @param container the value of the directive
   */
  static Optional<JobFile> imageFile(String container) {
    if (!container.startsWith("hdfs://")) {
      return Optional.empty();
    }
    String path = URI.create(container).getPath();
    return Optional.of(new JobFile(path, IMAGES + path.substring(path.lastIndexOf('/') + 1)));
  }

  private static JobFile file(Path directory, String name) {
    return new JobFile(HdfsPath.of(directory).name(), name);
  }

  private JobFile inDirectory(String name) {
    return file(task.getWorkDir().resolve(name), name);
  }

  private List<JobFile> inputs() {
    List<JobFile> files = new ArrayList<>();
    files.add(inDirectory(TaskRun.CMD_RUN));
    files.add(inDirectory(TaskRun.CMD_SCRIPT));
    if (bean.getInput() != null) {
      files.add(inDirectory(TaskRun.CMD_INFILE));
    }
    boolean isCopied = "copy".equals(bean.getStageInMode());
    inputs
        .files()
        .forEach(
            (name, path) -> files.add(isCopied ? file(path, name).asCopy() : file(path, name)));
    if (task.isContainerEnabled()) {
      imageFile(String.valueOf(task.getConfig().get("container"))).ifPresent(files::add);
    }
    for (Path program : programs) {
      files.add(file(program, PROGRAMS + "/" + program.getFileName()).asCopy());
    }
    return files;
  }

  private List<JobFile> outputs() {
    boolean writesVariables =
        !bean.getOutputEnvNames().isEmpty() || !bean.getOutputEvals().isEmpty();
    return written(writesVariables).stream().map(this::inDirectory).toList();
  }

  /**
   * Returns the names of what each task writes. The exit code is the last one and so is committed
   * last: Nextflow takes a directory with its file as complete.
   */
  static List<String> written(boolean writesVariables) {
    List<String> names = new ArrayList<>(List.of(TaskRun.CMD_OUTFILE, TaskRun.CMD_ERRFILE));
    if (writesVariables) {
      names.add(TaskRun.CMD_ENV);
    }
    names.add(TaskRun.CMD_EXIT);
    return names;
  }

  @SuppressWarnings("unchecked") // Nextflow takes classes as generic varargs.
  private Set<String> patterns() {
    Set<String> patterns = new LinkedHashSet<>();
    for (FileOutParam output : task.getOutputsByType(FileOutParam.class).keySet()) {
      for (String written : output.getFilePatterns(task.getContext(), task.getWorkDir())) {
        String pattern = Path.of(written).normalize().toString();
        if (output.getHidden() && !pattern.startsWith(".")) {
          throw new IllegalArgumentException(
              "The output '"
                  + written
                  + "' of the process "
                  + task.getProcessor().getName()
                  + " has the option 'hidden', which the executor weir does not support: write a"
                  + " pattern that begins with a dot");
        }
        patterns.add(pattern);
        patterns.addAll(inputsOf(pattern, output.getIncludeInputs()));
      }
    }
    if (bean.isStatsEnabled() && task.getTargetDir().equals(task.getWorkDir())) {
      patterns.add(TaskRun.CMD_TRACE);
    }
    return patterns;
  }

  /** Returns the inputs that are outputs as well. Sessions commit inputs only if they are named. */
  private List<String> inputsOf(String pattern, boolean includesInputs) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    return inputs.names().stream()
        .filter(
            name ->
                name.startsWith(pattern + "/")
                    || (includesInputs && matcher.matches(Path.of(name))))
        .toList();
  }

  private static JobOptions options(TaskConfig config, String image) {
    AcceleratorResource accelerator = config.getAccelerator();
    TaskNeeds needs =
        new TaskNeeds(
            config.hasCpus() ? config.getCpus() : 0,
            config.getMemory() == null ? 0 : config.getMemory().toBytes(),
            0,
            config.getTime() == null ? 0 : config.getTime().toSeconds(),
            false,
            image,
            accelerator == null
                ? Map.of()
                : resources(accelerator.getRequest(), accelerator.getType()));
    return new JobOptions(needs, 0, 0, 1);
  }

  /**
   * The type of an accelerator is a resource type of YARN; by default GPUs.
   *
   * @param number of accelerators; null for none
   */
  static Map<String, Long> resources(@Nullable Integer number, @Nullable String type) {
    return number == null
        ? Map.of()
        : Map.of(type == null ? TaskNeeds.GPU : type, number.longValue());
  }
}
