package dev.weir.workflow.worker;

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
import dev.weir.workflow.transfer.OutputIncastControl;
import dev.weir.workflow.transfer.Transfers;
import dev.weir.workflow.transfer.WriteBehind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Makes attempts at tasks: stage-in, command, stage-out, in a sandbox of their own. Several may be
 * made at a time; only the command needs a turn.
 */
public final class TaskRunner {

  private final Attempt.Means means;
  private final Sandboxes sandboxes;

  /**
   * Where a worker keeps its files.
   *
   * @param sandboxes directory for sandboxes
   * @param logs directory for the commands' stdout and stderr
   * @param environment variables that every command gets
   * @param secrets to which variables of a command may refer
   */
  public record Places(
      Path sandboxes, Path logs, Map<String, String> environment, TaskSecrets secrets) {

    public Places(Path sandboxes, Path logs, Map<String, String> environment) {
      this(sandboxes, logs, environment, TaskSecrets.NONE);
    }
  }

  /**
   * What attempts are made with.
   *
   * @param transfers move files
   * @param shells start commands
   * @param nanoTime the time, as of {@link System#nanoTime}
   * @param lanes when one of several outputs that go to the same node may
   */
  public record Tools(
      Transfers transfers,
      CommandShells shells,
      LongSupplier nanoTime,
      OutputIncastControl lanes) {}

  public TaskRunner(DataStore store, Places places, Tools tools) {
    this(store, places, tools, HostProbe.here(places.sandboxes()));
  }

  /**
   * A runner.
   *
   * @param machine tells why a command may have failed
   */
  TaskRunner(DataStore store, Places places, Tools tools, HostProbe machine) {
    DiscardedFiles leavings = new DiscardedFiles(places.sandboxes().resolveSibling("leavings"));
    this.sandboxes = new Sandboxes(places.sandboxes(), leavings);
    this.means =
        new Attempt.Means(store, places, tools, machine, leavings, new WriteBehind.Shared());
  }

  /**
   * Makes an attempt. Whatever goes wrong is in the report.
   *
   * @param turn when the command may begin
   * @return the report; one of {@link Result#RECALLED} when the turn was recalled
   * @throws InterruptedException when the worker is told to stop, or the turn was recalled; the
   *     command is dead then
   */
  public TaskReport run(TaskOrder order, ResourceGate.Ticket turn) throws InterruptedException {
    return run(order, turn, CommitPermit.AsNeeded.NEVER);
  }

  /**
   * Makes an attempt beside which there may be another one.
   *
   * @param turn when the command may begin
   * @param permit asked before the commit
   * @return the report
   * @throws InterruptedException when the worker is told to stop, the turn was recalled, or the
   *     attempt may not commit
   */
  TaskReport run(TaskOrder order, ResourceGate.Ticket turn, CommitPermit.AsNeeded permit)
      throws InterruptedException {
    Attempt.Outcome outcome = make(new Attempt(means, order, turn, permit), turn);
    TaskReport ifRoom = outcome.ifRoom();
    if (ifRoom == null) {
      return outcome.report();
    }
    // The attempt's own files are gone by now.
    means.leavings().clear();
    return means.machine().hasRoom() ? ifRoom : outcome.report();
  }

  private Attempt.Outcome make(Attempt attempt, ResourceGate.Ticket turn)
      throws InterruptedException {
    try {
      Sandbox sandbox = sandboxes.acquire();
      try {
        return attempt.make(sandbox);
      } finally {
        sandboxes.release(sandbox);
      }
    } catch (IOException | RuntimeException e) {
      return attempt.notMade(e);
    } finally {
      turn.leave();
    }
  }
}
