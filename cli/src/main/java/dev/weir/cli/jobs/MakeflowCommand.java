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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "makeflow",
    description = {
      "Runs CCTools' own makeflow with a session as its batch system.",
      "makeflow schedules the rules. Each rule runs as a job of the session, with its"
          + " files in HDFS. To let Weir schedule the workflow, use 'weir run'."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir makeflow blast.makeflow --data blast --fetch results -- --max-remote 100"
    })
public final class MakeflowCommand implements Callable<Integer> {
  /** Which outputs are copied to this machine. */
  enum Fetch {
    /** All outputs. */
    ALL,
    /** Outputs that no rule reads; the others are sparse files of the same size. */
    RESULTS,
    /** No outputs; all are sparse files of the same size. */
    NONE
  }

  /** How long makeflow may be idle with failed rules; it retries at once. */
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
          "HDFS directory of all files (default: weir/NAME in your home directory)."
              + " Inputs that are missing or older there are copied from the directory of FILE.")
  private @Nullable String data;

  @Option(
      names = "--fetch",
      paramLabel = "WHAT",
      defaultValue = "all",
      description =
          "Outputs to copy to this machine: all, results (those that no rule reads) or"
              + " none (default: ${DEFAULT-VALUE}). For the others makeflow gets sparse files"
              + " of the same size. A rule marked LOCAL would read those.")
  private Fetch fetch;

  @Option(
      names = "--makeflow",
      paramLabel = "PROGRAM",
      defaultValue = "makeflow",
      description = "Path of makeflow (default: ${DEFAULT-VALUE}).")
  private String makeflow;

  @Mixin private WorkflowOptions reading;

  @Mixin private SessionChoice choice;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Workflow workflow = reading.readToRun(file, spec.commandLine().getErr());
    Path directory = file.toAbsolutePath().resolveSibling("");
    try (Sessions sessions = choice.sessions()) {
      JobClient client = sessions.client(sessions.find(choice.named()), choice.patience());
      MakeflowFiles files =
          new MakeflowFiles(
              sessions.fileSystem(),
              sessions.resolve(WorkflowOptions.dataDirectory(data, workflow)),
              directory);
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
          ("Cannot run '%s' (%s): install CCTools (Debian: coop-computing-tools), "
                  + "or name it with --makeflow")
              .formatted(makeflow, e.getMessage()),
          e);
    }
  }
}
