package dev.weir.cli.jobs;

import dev.weir.cli.workflow.WorkflowOptions;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir makeflow}. */
@Command(
    name = "makeflow",
    description = {
      "Runs CCTools' own makeflow with a session as its batch system.",
      "makeflow orders the rules; each runs as a job of the session, its files in HDFS. To have Weir"
          + " run the workflow by itself, use 'weir run'."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir makeflow blast.makeflow --data blast --fetch results -- --max-remote 100"
    })
public final class MakeflowCommand implements Callable<Integer> {

  /** What of the outputs is copied to this machine. */
  enum Fetch {
    /** All. */
    ALL,
    /** Those that no rule reads; the others are empty files of their size. */
    RESULTS,
    /** None: all are empty files of their size. */
    NONE
  }

  /** makeflow tries failed rules again at once. */
  private static final Duration STILL = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The workflow.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "OPTION",
      description = "Options for makeflow, after --.")
  private List<String> options = new ArrayList<>();

  @Option(
      names = "--data",
      paramLabel = "HDFS_DIR",
      description =
          "Directory in HDFS for all files (default: weir/NAME in your home directory). Inputs that"
              + " it lacks, or has older, are copied there from beside the workflow.")
  private String data = "";

  @Option(
      names = "--fetch",
      paramLabel = "WHAT",
      defaultValue = "all",
      description =
          "Outputs that are copied to this machine: all, results (those that no rule reads) or"
              + " none. In place of the others lie empty files of their size, for makeflow wants to"
              + " see something; a rule marked LOCAL would read those (default: ${DEFAULT-VALUE}).")
  private Fetch fetch;

  @Option(
      names = "--makeflow",
      paramLabel = "PROGRAM",
      defaultValue = "makeflow",
      description = "The makeflow to run (default: ${DEFAULT-VALUE}).")
  private String makeflow;

  @Mixin private WorkflowOptions reading;

  @Mixin private SessionChoice choice;

  /** For picocli. */
  public MakeflowCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Workflow workflow = reading.read(file, spec.commandLine().getErr()).workflow();
    Path directory = file.toAbsolutePath().resolveSibling("");
    try (Sessions sessions = choice.sessions()) {
      JobClient client = sessions.client(sessions.find(choice.named()), choice.patience());
      MakeflowFiles files =
          new MakeflowFiles(
              sessions.fileSystem(), sessions.resolve(dataDirectory(workflow)), directory);
      Path spool = Files.createTempDirectory("weir-makeflow-");
      try (MakeflowSession session =
          new MakeflowSession(
              workflow,
              new MakeflowSession.Outside(RuleJobs.of(client), files, spec.commandLine().getErr()),
              spool,
              fetch)) {
        session.start();
        return run(session, directory);
      }
    }
  }

  private String dataDirectory(Workflow workflow) {
    return data.isEmpty() ? "weir/" + workflow.name().replaceAll("[^A-Za-z0-9._-]", "_") : data;
  }

  private int run(MakeflowSession session, Path directory)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(makeflow, "-T", "cluster", "--wrapper", MakeflowSession.WRAPPER));
    command.addAll(options);
    command.add(file.getFileName().toString());
    ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO();
    process.environment().putAll(session.environment());
    try {
      return new MakeflowWatch(session, spec.commandLine().getErr()).await(process.start(), STILL);
    } catch (IOException e) {
      throw new IOException(
          "Cannot run '"
              + makeflow
              + "' ("
              + e.getMessage()
              + "): install CCTools (Debian: coop-computing-tools), or name it with --makeflow",
          e);
    }
  }
}
