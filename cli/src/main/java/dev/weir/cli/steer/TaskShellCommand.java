package dev.weir.cli.steer;

import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.client.TaskSandbox;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "shell",
    description = {
      "Makes the sandbox of a task on this machine and starts a shell in it.",
      "The sandbox has the inputs and the variables of the task. The script ../run.sh runs its"
          + " command. Secrets are not set. The directory stays when the shell ends."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir shell last mAdd_3",
      "",
      "Exit code: that of the shell; 2 wrong usage, 3 not found, 4 refused, 5 no answer."
    })
public final class TaskShellCommand extends RunsBase {
  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(index = "1", paramLabel = "TASK", description = "Id of the task.")
  private String task;

  @Option(
      names = "--dir",
      paramLabel = "LOCAL_DIR",
      description = "Where the sandbox is made (default: a new temporary directory).")
  private @Nullable Path dir;

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    KnownRun run = runs.find(name);
    TaskSandbox sandbox = run.sandbox(task);
    Path directory = dir == null ? Files.createTempDirectory("weir-shell-") : dir;
    Path work = create(run, sandbox, directory);
    out().println("The sandbox is " + work + "; ../run.sh runs the command, exit leaves.");
    out().flush();
    ProcessBuilder shell = new ProcessBuilder("bash").directory(work.toFile()).inheritIO();
    shell.environment().putAll(sandbox.environment());
    return shell.start().waitFor();
  }

  private static Path create(KnownRun run, TaskSandbox sandbox, Path directory) throws IOException {
    try {
      return sandbox.create(directory);
    } catch (FileNotFoundException e) {
      throw new SteeringException(
          Kind.NOT_FOUND,
          "The input " + e.getMessage() + " is not in HDFS: " + run.whyMissing(),
          e);
    } catch (FileAlreadyExistsException e) {
      throw new SteeringException(
          Kind.IMPOSSIBLE,
          directory + " has work or run.sh already: remove them, or give another directory",
          e);
    }
  }
}
