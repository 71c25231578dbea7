package dev.weir.workflow.staging;

import dev.weir.workflow.record.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The summary of a run; {@code summary.json} in its directory. The client writes it when it submits
 * the run, and the ApplicationMaster when the run ends.
 *
 * @param user its owner
 * @param mode label of the mode
 * @param dataDir absolute path of the directory with the data
 * @param submitted when it was submitted, as {@link Instant} writes it
 * @param session id of the application of the session that runs it; empty for a run that is an
 *     application of its own
 * @param end how it ended; null while it runs, or if no process recorded the end
 */
public record RunSummary(
    String id,
    String user,
    String workflow,
    String mode,
    String dataDir,
    int tasks,
    String submitted,
    String session,
    @Nullable End end) {

  /**
   * The end of a run.
   *
   * @param state its final state
   * @param ended the time, as {@link Instant} writes it
   * @param done tasks that were done
   * @param reused tasks whose results were reused from an earlier run
   * @param failedAttempts attempts that failed or were lost
   * @param inputBytesLocal input bytes read on the node that holds them
   * @param inputBytesRemote input bytes read from other nodes
   * @param reason why it did not succeed, in one line; empty when it did
   */
  public record End(
      RunState state,
      String ended,
      int done,
      int reused,
      int failedAttempts,
      long inputBytesLocal,
      long inputBytesRemote,
      String reason) {}

  /**
   * Creates the summary of a run that has not ended and is an application of its own.
   *
   * @param submitted when it was submitted
   */
  public static RunSummary of(String id, RunPlan plan, Instant submitted) {
    return new RunSummary(
        id,
        plan.user(),
        plan.workflow().name(),
        plan.mode().label(),
        plan.dataDir(),
        plan.workflow().tasks().size(),
        submitted.toString(),
        "",
        null);
  }

  /** Returns a copy for a run in a session. */
  public RunSummary in(String application) {
    return new RunSummary(id, user, workflow, mode, dataDir, tasks, submitted, application, end);
  }

  /**
   * Returns the application that runs it. A run without an {@link #end} continues as long as this
   * application does.
   *
   * @return its id: the session's, or that of the run itself
   */
  public String application() {
    return session.isEmpty() ? id : session;
  }

  /**
   * Returns a copy for a run to which tasks may have been added.
   *
   * @param number how many tasks it has
   */
  public RunSummary withTasks(int number) {
    return new RunSummary(id, user, workflow, mode, dataDir, number, submitted, session, end);
  }

  /** Returns a copy with the end of the run. */
  public RunSummary ended(End how) {
    return new RunSummary(id, user, workflow, mode, dataDir, tasks, submitted, session, how);
  }
}
