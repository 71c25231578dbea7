package dev.weir.workflow.jobs;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.PlainText;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One process that an engine submits: its command and the files that the command sees.
 *
 * @param id the engine's id; the same id means the same job, so that a submission may be repeated
 * @param tag the kind of job, for people and reports; empty for the name of its program
 * @param environment variables of the command, beside the worker's own
 * @param inputs files in its sandbox before it starts
 * @param outputs files that are committed when it has ended with 0
 * @param globs outputs that are known when it has ended: patterns of names in the sandbox, all with
 *     the same directory as their path
 * @param options its needs, priority and attempts
 */
public record Job(
    String id,
    String tag,
    List<String> command,
    Map<String, String> environment,
    List<JobFile> inputs,
    List<JobFile> outputs,
    List<JobFile> globs,
    JobOptions options) {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** Checks and copies. */
  public Job {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "Job id '"
              + id
              + "' is none: begin with a letter or digit and go on with those, '.', '_' and '-',"
              + " 128 at most");
    }
    if (command.isEmpty() || command.get(0).isBlank()) {
      throw new IllegalArgumentException("Job '" + id + "' has no program");
    }
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    require(id, "a tag", PlainText.problem(tag));
    requireStartable(id, command, environment);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    requireDistinct(id, "input", inputs);
    requireDistinct(id, "output", outputs);
    requireNotAltered(id, inputs, outputs);
    globs = List.copyOf(globs);
    requireOneDirectory(id, globs);
    requireNoneIntermediate(id, outputs, globs);
    requireImage(id, inputs, options.needs());
    if (FetchCommand.of(command).isPresent() && outputs.size() != 1) {
      throw new IllegalArgumentException(
          ("Job '%s' with the command %s must have one output, the file that it " + "fetches")
              .formatted(id, FetchCommand.PROGRAM));
    }
  }

  /** Creates a job whose outputs are known before it runs. */
  public Job(
      String id,
      String tag,
      List<String> command,
      Map<String, String> environment,
      List<JobFile> inputs,
      List<JobFile> outputs,
      JobOptions options) {
    this(id, tag, command, environment, inputs, outputs, List.of(), options);
  }

  private static void requireOneDirectory(String job, List<JobFile> globs) {
    for (JobFile glob : globs) {
      PathMatcher unused = FileSystems.getDefault().getPathMatcher("glob:" + glob.name());
      if (!glob.path().equals(globs.get(0).path())) {
        throw new IllegalArgumentException(
            ("Job '%s' has patterns of outputs for %s and for %s: give them one " + "directory")
                .formatted(job, globs.get(0).path(), glob.path()));
      }
      if (!glob.hint().isEmpty()) {
        throw new IllegalArgumentException(
            ("The pattern '%s' of job '%s' has a hint: set one for its directory with "
                    + "'weir hints set'")
                .formatted(glob.name(), job));
      }
    }
  }

  /** A repeated job, which makes a lost intermediate file again, would replace what was found. */
  private static void requireNoneIntermediate(
      String job, List<JobFile> outputs, List<JobFile> globs) {
    for (JobFile file : outputs) {
      if (file.intermediate() && !globs.isEmpty()) {
        throw new IllegalArgumentException(
            ("Job '%s' has patterns of outputs and the intermediate output %s: leave "
                    + "out 'intermediate', or list the files in place of the patterns")
                .formatted(job, file.path()));
      }
    }
  }

  private static void requireImage(String job, List<JobFile> inputs, TaskNeeds needs) {
    String image = needs.imageFile().orElse("");
    if (!image.isEmpty() && inputs.stream().noneMatch(file -> file.name().equals(image))) {
      throw new IllegalArgumentException(
          ("Job '%s' has the container '%s', which is not the name of an input: add "
                  + "the file of the image to the inputs")
              .formatted(job, image));
    }
  }

  /**
   * Checked here, because the job would otherwise fail on its node or get wrong arguments or
   * variables.
   */
  private static void requireStartable(
      String job, List<String> command, Map<String, String> environment) {
    command.forEach(word -> require(job, "a command", PlainText.problemAsArgument(word)));
    environment.forEach(
        (name, value) -> {
          require(job, "an environment variable", PlainText.problemAsArgument(name));
          if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                ("Job '%s' has an environment variable called '%s': write a name of one "
                        + "character or more, without '='")
                    .formatted(job, name));
          }
          require(
              job, "the environment variable '" + name + "'", PlainText.problemAsArgument(value));
        });
  }

  private static void require(String job, String what, Optional<String> problem) {
    if (problem.isPresent()) {
      throw new IllegalArgumentException(
          "Job '" + job + "' has " + what + " that " + problem.get() + ": leave it out");
    }
  }

  /** A repeated attempt would read its own output in place of the input. */
  private static void requireNotAltered(String job, List<JobFile> inputs, List<JobFile> outputs) {
    Set<String> read = new HashSet<>();
    inputs.forEach(file -> read.add(file.path()));
    for (JobFile file : outputs) {
      if (read.contains(file.path())) {
        throw new IllegalArgumentException(
            ("Job '%s' both reads and writes %s: give what it writes another path, "
                    + "for a job that is run again after a loss would be applied twice")
                .formatted(job, file.path()));
      }
    }
  }

  private static void requireDistinct(String job, String what, List<JobFile> files) {
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (JobFile file : files) {
      if (!names.add(file.name()) || !paths.add(file.path())) {
        throw new IllegalArgumentException(
            "Job '%s' has the %s %s or the name '%s' twice: list each once"
                .formatted(job, what, file.path(), file.name()));
      }
    }
  }

  /** Returns the job as a task of a graph, whose files are named by their paths. */
  public Task task() {
    return new Task(
        id,
        type(),
        command,
        inputs.stream().map(JobFile::id).toList(),
        outputs.stream().map(JobFile::id).toList(),
        List.of(),
        options.runtimeSeconds(),
        // The file of an image is an input already.
        options.needs().withContainer(""));
  }

  private String type() {
    return tag.isBlank() ? program(command) : tag;
  }

  private static String program(List<String> command) {
    String program = command.get(0);
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.isBlank() ? program : name;
  }

  /**
   * Returns the kind of a task, if its job has a tag. Tasks that only share a program, such as a
   * shell, are not alike.
   *
   * @return its type, if that says more than the name of its program
   */
  public static Optional<String> kind(Task task) {
    return Optional.of(task.type()).filter(type -> !type.equals(program(task.command())));
  }

  /** Returns the files of the job, each once. */
  public List<DataFile> files() {
    List<DataFile> files = new ArrayList<>();
    inputs.forEach(file -> files.add(new DataFile(file.id(), file.sizeBytes())));
    outputs.forEach(file -> files.add(new DataFile(file.id(), file.sizeBytes(), file.hint())));
    return files;
  }
}
