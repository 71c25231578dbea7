package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends the session that began with a run, when this run and all runs that were added have ended.
 * The session ends as its first run did.
 */
record FirstRunEnding(ManagedRun first, RunService added, SessionController controller) {

  /** How long the end of the session waits for the record of its first run. */
  private static final long RECORD_TIMEOUT_MILLIS = 60_000;

  /** Ends the session through the controller when all runs have ended. */
  void watch() {
    added.afterEachRun(
        () -> {
          if (first.outcome().isDone() && added.endWith(0)) {
            endSession(first.outcome().join());
          }
        });
    var unused = first.outcome().thenAccept(this::firstEnded);
  }

  private void firstEnded(Optional<RunFailure> failure) {
    if (added.endWith(1)) {
      endSession(failure);
    } else {
      added.endFirst(first, failure);
    }
  }

  private void endSession(Optional<RunFailure> failure) {
    failure.ifPresentOrElse(controller::fail, controller::stop);
  }

  /**
   * Writes the record of the first run, unless it is written, and ends the session. Blocks.
   *
   * @param staging the session's directory, which is the run's
   * @param failure how the session ends; null for success
   * @throws IOException when YARN rejects the end, or another ApplicationMaster has replaced this
   *     one
   */
  void close(SessionServices services, Staging staging, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    if (first.claimEnd()) {
      first.finish(new RunEnding(first, services, true, () -> false), failure);
      return;
    }
    first.awaitClosed(RECORD_TIMEOUT_MILLIS);
    services.requireLast();
    services.finish();
    services.unregister(failure, "");
    staging.tidy(false);
  }
}
