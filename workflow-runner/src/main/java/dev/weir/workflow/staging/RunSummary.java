package dev.weir.workflow.staging;

import dev.weir.workflow.record.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run in a few words; {@code summary.json} in its directory. The client writes it when it submits
 * the run, the ApplicationMaster when the run ends.
 *
 * @param id the run's id
 * @param user whose it is
 * @param workflow name of the workflow
 * @param mode label of the mode
 * @param dataDir absolute path of the directory with the data
 * @param tasks tasks of the workflow
 * @param submitted when it was submitted, as {@link Instant} writes it
 * @param session id of the application of the session that runs it; empty for a run that is an
 *     application of its own
 * @param end how it ended; null while it has not, or when nobody was left to write it down
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
   * How a run ended.
   *
   * @param state which way
   * @param ended when, as {@link Instant} writes it
   * @param done tasks that were done then
   * @param reused tasks whose results were taken over from an earlier run
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
   * A run that has not ended, and is an application of its own.
   *
   * @param id its id
   * @param plan what it does
   * @param submitted when it was submitted
   * @return the summary
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

  /**
   * The same run in a session.
   *
   * @param application id of the session's application
   * @return the summary
   */
  public RunSummary in(String application) {
    return new RunSummary(id, user, workflow, mode, dataDir, tasks, submitted, application, end);
  }

  /**
   * The application that runs it: while it goes on, and has no {@link #end}, so does the run.
   *
   * @return its id: the session's, or that of the run itself
   */
  public String application() {
    return session.isEmpty() ? id : session;
  }

  /**
   * The same run, ended.
   *
   * @param how how
   * @return the summary
   */
  public RunSummary ended(End how) {
    return new RunSummary(id, user, workflow, mode, dataDir, tasks, submitted, session, how);
  }
}
