package dev.weir.workflow.client;

import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a run.
 *
 * @param progress progress of its tasks, as last reported; null if never reported
 * @param failure why it failed; null if it did not
 */
public record RunView(
    RunSummary summary, Stage stage, @Nullable RunProgress progress, @Nullable RunFailure failure) {

  public enum Stage {
    /** YARN has not started the run's ApplicationMaster. */
    SUBMITTED,
    /** The run executes tasks. */
    RUNNING,
    /** The run continues, but starts no more tasks. */
    PAUSED,
    /** All tasks are done. */
    SUCCEEDED,
    /** A task failed permanently, or the run could not continue. */
    FAILED,
    /** The run was cancelled. */
    CANCELLED,
    /** YARN does not know the run, and its end was not recorded. */
    LOST;

    public boolean isEnd() {
      return this != SUBMITTED && this != RUNNING && this != PAUSED;
    }

    static Stage of(RunState state) {
      return valueOf(state.name());
    }

    /**
     * Returns the stage of a run whose summary has no end. The state is null if YARN does not know
     * the run.
     */
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
