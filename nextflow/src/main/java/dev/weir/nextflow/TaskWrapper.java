package dev.weir.nextflow;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import nextflow.executor.BashWrapperBuilder;
import nextflow.executor.SimpleFileCopyStrategy;
import nextflow.processor.TaskBean;
import nextflow.processor.TaskRun;
import nextflow.util.Escape;
import org.jspecify.annotations.Nullable;

/**
 * Writes Nextflow's wrapper of a task into its directory in HDFS. The wrapper runs in the sandbox
 * of a job, which has the inputs already and is the task's directory there.
 */
@SuppressWarnings("serial") // It is used by its creator only.
final class TaskWrapper extends BashWrapperBuilder {

  private final Path directory;

  TaskWrapper(TaskBean bean, Path directory, Map<String, String> links, boolean hasPrograms) {
    super(inSandbox(bean), new SandboxStrategy(bean, links, hasPrograms));
    this.directory = directory;
  }

  private static TaskBean inSandbox(TaskBean bean) {
    Path sandbox = Path.of("");
    bean.setWorkDir(sandbox);
    bean.setTargetDir(sandbox);
    // The sandbox is a scratch directory.
    bean.setScratch(null);
    return bean;
  }

  @Override
  protected Path targetWrapperFile() {
    return directory.resolve(TaskRun.CMD_RUN);
  }

  @Override
  protected Path targetScriptFile() {
    return directory.resolve(TaskRun.CMD_SCRIPT);
  }

  @Override
  protected Path targetInputFile() {
    return directory.resolve(TaskRun.CMD_INFILE);
  }

  /** Leaves the staging to the session. */
  private static final class SandboxStrategy extends SimpleFileCopyStrategy {

    private final Map<String, String> links;
    private final boolean hasPrograms;

    SandboxStrategy(TaskBean bean, Map<String, String> links, boolean hasPrograms) {
      super(bean);
      this.links = links;
      this.hasPrograms = hasPrograms;
    }

    @Override
    public @Nullable String getStageInputFilesScript(Map<String, Path> inputFiles) {
      return links.isEmpty()
          ? null
          : links.entrySet().stream()
              .map(link -> link(link.getKey(), link.getValue()))
              .collect(Collectors.joining("\n"));
    }

    private static String link(String name, String file) {
      String target = "\"$PWD\"/" + Escape.path(file);
      int slash = name.lastIndexOf('/');
      String parent = slash < 0 ? "" : "mkdir -p " + Escape.path(name.substring(0, slash)) + "; ";
      return parent + "ln -s " + target + " " + Escape.path(name);
    }

    @Override
    @SuppressWarnings("rawtypes") // As Nextflow declares it.
    public @Nullable String getEnvScript(Map environment, boolean container) {
      String own = super.getEnvScript(environment, container);
      String programs =
          "chmod +x "
              + TaskJob.PROGRAMS
              + "/*\nexport PATH=\"$PWD/"
              + TaskJob.PROGRAMS
              + ":$PATH\"\n";
      return hasPrograms ? (own == null ? "" : own) + programs : own;
    }
  }
}
