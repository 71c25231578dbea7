package dev.weir.workflow.client;

import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is now.
 *
 * @param summary what it is, and how it ended if it has
 * @param stage how far it is on its way
 * @param progress how far its tasks are, or were when that was last known; null when it never was
 * @param failure why it failed; null when it did not
 */
public record RunView(
    RunSummary summary, Stage stage, @Nullable RunProgress progress, @Nullable RunFailure failure) {

  /** The stages of a run's way. */
  public enum Stage {
    /** YARN has not started its ApplicationMaster. */
    SUBMITTED,
    /** It goes on. */
    RUNNING,
    /** It goes on, and no more tasks are begun. */
    PAUSED,
    /** Every task was done. */
    SUCCEEDED,
    /** A task failed for good, or the run could not go on. */
    FAILED,
    /** Somebody wanted it to end. */
    CANCELLED,
    /** YARN knows nothing of it, and nobody wrote down how it ended. */
    LOST;

    /**
     * Whether nothing more happens.
     *
     * @return whether
     */
    public boolean isEnd() {
      return this != SUBMITTED && this != RUNNING && this != PAUSED;
    }

    static Stage of(RunState state) {
      return switch (state) {
        case SUCCEEDED -> SUCCEEDED;
        case FAILED -> FAILED;
        case CANCELLED -> CANCELLED;
      };
    }

    /** The stage of a run that has left no word of its end; null when YARN does not know it. */
    static Stage of(@Nullable YarnApplicationState state, boolean paused) {
      if (state == null) {
        return LOST;
      }
      return switch (state) {
        case NEW, NEW_SAVING, SUBMITTED, ACCEPTED -> SUBMITTED;
        case RUNNING -> paused ? PAUSED : RUNNING;
        case FINISHED, FAILED -> FAILED;
        case KILLED -> CANCELLED;
      };
    }
  }
}
