package dev.weir.workflow.worker;

import dev.weir.workflow.gang.Gang;
import dev.weir.workflow.image.TaskContainers;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.HostProbe;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.sandbox.DiscardedFiles;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.sandbox.Sandboxes;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.transfer.CommitPermit;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.Transfers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts at tasks: stage-in, command and stage-out, in a sandbox of their own. Several run
 * at a time; only the command needs a ticket of the gate.
 */
public final class TaskRunner {

  private final Attempt.Means means;
  private final Sandboxes sandboxes;

  /**
   * The worker's local directories.
   *
   * @param logs directory for the commands' stdout and stderr
   * @param environment variables that every command gets
   * @param secrets to which variables of a command may refer
   * @param hints of the outputs of current attempts
   */
  public record Places(
      Path sandboxes,
      Path logs,
      Map<String, String> environment,
      TaskSecrets secrets,
      OutputHints hints) {

    public Places(Path sandboxes, Path logs, Map<String, String> environment) {
      this(sandboxes, logs, environment, TaskSecrets.NONE, OutputHints.NONE);
    }
  }

  /**
   * Shared tools of the attempts.
   *
   * @param gang the other containers for tasks that run in several; null if there are none
   */
  public record Tools(
      Transfers transfers,
      CommandShells shells,
      LongSupplier nanoTime,
      TaskContainers containers,
      @Nullable Gang gang) {

    /** Tools of a worker that is in no gang. */
    public Tools(
        Transfers transfers,
        CommandShells shells,
        LongSupplier nanoTime,
        TaskContainers containers) {
      this(transfers, shells, nanoTime, containers, null);
    }
  }

  public TaskRunner(DataStore store, Places places, Tools tools) {
    this(store, places, tools, HostProbe.here(places.sandboxes()));
  }

  TaskRunner(DataStore store, Places places, Tools tools, HostProbe host) {
    DiscardedFiles discarded = new DiscardedFiles(places.sandboxes().resolveSibling("leavings"));
    this.sandboxes = new Sandboxes(places.sandboxes(), discarded);
    this.means = new Attempt.Means(store, places, tools, host, discarded);
  }

  /**
   * Runs an attempt. Failures are returned in the report, not thrown.
   *
   * @return the report; one of {@link Result#RECALLED} when the ticket was recalled
   * @throws InterruptedException when the worker must stop, or the ticket was recalled; the command
   *     has then ended
   */
  public TaskReport run(TaskOrder order, ResourceGate.Ticket ticket) throws InterruptedException {
    return run(order, ticket, CommitPermit.AsNeeded.NEVER);
  }

  /**
   * Runs an attempt beside which there may be another one.
   *
   * @param permit awaited before the commit
   * @throws InterruptedException when the worker must stop, the ticket was recalled, or the attempt
   *     may not commit
   */
  TaskReport run(TaskOrder order, ResourceGate.Ticket ticket, CommitPermit.AsNeeded permit)
      throws InterruptedException {
    Attempt.Outcome outcome = runHinted(order, new Attempt(means, order, ticket, permit), ticket);
    TaskReport ifRoom = outcome.ifRoom();
    if (ifRoom == null) {
      return outcome.report();
    }
    // The attempt's own files are deleted by now.
    means.discarded().clear();
    return means.host().hasRoom() ? ifRoom : outcome.report();
  }

  private Attempt.Outcome runHinted(TaskOrder order, Attempt attempt, ResourceGate.Ticket ticket)
      throws InterruptedException {
    OutputHints hints = means.places().hints();
    hints.begin(order);
    try {
      return runInSandbox(attempt, ticket);
    } finally {
      hints.end(order);
    }
  }

  private Attempt.Outcome runInSandbox(Attempt attempt, ResourceGate.Ticket ticket)
      throws InterruptedException {
    try {
      Sandbox sandbox = sandboxes.acquire();
      try {
        return attempt.run(sandbox);
      } finally {
        sandboxes.release(sandbox);
      }
    } catch (IOException | RuntimeException e) {
      return attempt.notStarted(e);
    } finally {
      ticket.leave();
    }
  }
}
