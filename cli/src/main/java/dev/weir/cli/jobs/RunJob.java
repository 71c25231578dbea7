package dev.weir.cli.jobs;

import dev.weir.cli.common.NotRunException;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.SecretOption;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Usage;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.model.TaskNeeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = {
      "Runs one command on a session and exits with its exit code.",
      "Prints the end (2 KiB) of its standard output, or of the error output of a command that"
          + " failed. Ctrl-C cancels the job.",
      JobCommand.CODES
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Example:",
      "  weir job run --input /data/a.fa --output a.out=/out/a.out -- sort -o a.out a.fa"
    })
@OptionSection(heading = "What to run", options = "--id --tag --env --secret --attempts")
@OptionSection(heading = "Where", options = "--session --cluster --patience")
@OptionSection(
    heading = "Resources",
    options = "--cores --memory --resource --task-timeout --priority")
@OptionSection(heading = "Data", options = "--input --copy --output --intermediate --hint")
final class RunJob implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "Program and arguments.")
  private List<String> command;

  @Option(
      names = "--input",
      paramLabel = "HDFS_PATH[=NAME]",
      description =
          "Input file, and its name in the sandbox (default: the name in HDFS); may be repeated.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--copy",
      paramLabel = "HDFS_PATH[=NAME]",
      description =
          "As --input, but the command gets a copy that it may change; the file in HDFS does not"
              + " change.")
  private List<String> copies = new ArrayList<>();

  @Option(
      names = "--output",
      paramLabel = "NAME=HDFS_PATH",
      description = "Output file in the sandbox, and its path in HDFS; may be repeated.")
  private List<String> outputs = new ArrayList<>();

  @Option(
      names = "--intermediate",
      paramLabel = "NAME=HDFS_PATH",
      description =
          "As --output, for a file that only later jobs of the session read: it may stay on a node,"
              + " and HDFS need not have it.")
  private List<String> intermediates = new ArrayList<>();

  @Option(
      names = "--hint",
      paramLabel = "HDFS_PATH=HINT",
      description = "Hint for an output, such as /out/a.db=broadcast=4; may be repeated.")
  private List<String> hints = new ArrayList<>();

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "Environment variable of the command; may be repeated.")
  private Map<String, String> environment = new LinkedHashMap<>();

  @Mixin private SecretOption secret;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Id of the job (default: a new one). A second job with the same id is not run.")
  private @Nullable String id;

  @Option(
      names = "--tag",
      paramLabel = "TEXT",
      description =
          "Type of the job. Without --cores or --memory a job gets what earlier jobs of its type"
              + " used.")
  private String tag = "";

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores that the job needs (default: by --tag, or 1).")
  private int cores;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "Memory that the job needs, in MiB (default: by --tag).")
  private long memory;

  @Option(
      names = "--resource",
      paramLabel = "TYPE=N",
      description =
          "Amount of a further resource type of YARN that the job needs, such as yarn.io/gpu=1; may"
              + " be repeated.")
  private Map<String, Long> resources = new LinkedHashMap<>();

  @Option(
      names = "--task-timeout",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description = "Kills an attempt whose command runs longer; it failed (default: no limit).")
  private @Nullable Duration taskTimeout;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Priority of the job, higher first (default: 0).")
  private int priority;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of attempts, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int attempts;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Job job = job();
    return choice.with(client -> run(client, job));
  }

  private int run(JobClient client, Job job) throws IOException, InterruptedException {
    JobStatus end;
    CancelOnExit guard = new CancelOnExit(client, job.id());
    try {
      submit(client::submit, job);
      // The limit is ten years.
      Optional<JobStatus> status = client.await(job.id(), JobCommand.FOR_EVER);
      end = status.orElseThrow();
    } finally {
      guard.close();
    }
    if (JobText.exitCode(end) == 0) {
      spec.commandLine().getOut().print(end.result().outputTail());
      spec.commandLine().getOut().flush();
    } else {
      PrintWriter err = spec.commandLine().getErr();
      err.print(JobText.of(end));
      err.flush();
    }
    return JobText.exitCode(end);
  }

  @FunctionalInterface
  interface Session {
    JobStatus submit(Job job) throws IOException, InterruptedException;
  }

  /**
   * Submits a job. A refusal gets its own exit code, because others could be that of the job's
   * command.
   */
  static void submit(Session session, Job job) throws IOException, InterruptedException {
    try {
      session.submit(job);
    } catch (JobException e) {
      throw new NotRunException(e);
    }
  }

  /** Returns the job that the options describe. */
  Job job() {
    return Usage.checked(spec, this::unchecked);
  }

  private Job unchecked() {
    Map<String, String> hintOf = new LinkedHashMap<>();
    hints.forEach(pair -> hintOf.put(before(pair), after(pair)));
    return new Job(
        id == null ? "job-" + UUID.randomUUID() : id,
        tag,
        command,
        secret.beside(environment),
        Stream.concat(
                inputs.stream().map(RunJob::input),
                copies.stream().map(copy -> input(copy).asCopy()))
            .toList(),
        Stream.concat(
                outputs.stream().map(pair -> output(pair, hintOf)),
                intermediates.stream().map(pair -> output(pair, hintOf).asIntermediate()))
            .toList(),
        new JobOptions(
            new TaskNeeds(
                cores,
                JobOptions.memoryBytes(memory),
                0,
                taskTimeout == null ? 0 : Math.max(1, taskTimeout.toSeconds()),
                false,
                "",
                resources),
            0,
            priority,
            attempts));
  }

  private static JobFile output(String pair, Map<String, String> hintOf) {
    return new JobFile(after(pair), before(pair), 0, hintOf.getOrDefault(after(pair), ""));
  }

  private static JobFile input(String text) {
    int equals = text.lastIndexOf('=');
    String path = equals < 0 ? text : text.substring(0, equals);
    String name = equals < 0 ? text.substring(text.lastIndexOf('/') + 1) : after(text, equals);
    return new JobFile(path, name);
  }

  private static String before(String pair) {
    return pair.substring(0, split(pair));
  }

  private static String after(String pair) {
    return after(pair, split(pair));
  }

  private static String after(String pair, int equals) {
    return pair.substring(equals + 1);
  }

  private static int split(String pair) {
    int equals = pair.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("'" + pair + "' has no '=' after its first part");
    }
    return equals;
  }
}
