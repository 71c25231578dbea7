package dev.weir.workflow.staging;

import dev.weir.workflow.reuse.RerunChoice;

/**
 * The user's options for a run, besides its workflow and its place.
 *
 * @param keepGoing whether a run continues with independent tasks after a task has failed
 *     permanently
 * @param rerun tasks that are run although an earlier run has done them, in the syntax of {@link
 *     RerunChoice#parse}
 * @param speculation whether stragglers may have a second attempt
 * @param keep intermediate files that are kept when no task needs them any more, in the syntax of
 *     {@link RetentionPolicy}
 * @param ignoreNeeds whether cores and memory measured in earlier runs are ignored
 * @param intermediate where tasks put files for each other
 */
public record RunOptions(
    boolean keepGoing,
    String rerun,
    boolean speculation,
    String keep,
    boolean ignoreNeeds,
    IntermediateStore intermediate) {

  /**
   * The defaults: the first permanent failure ends the run, all tasks are run, stragglers may have
   * a second attempt, and all files are kept.
   */
  public static final RunOptions DEFAULT =
      new RunOptions(
          false, RerunChoice.ALL, true, RetentionPolicy.ALL, false, IntermediateStore.AUTO);

  /** Returns a copy that continues, or not, after a task has failed permanently. */
  public RunOptions withKeepGoing(boolean value) {
    return new RunOptions(value, rerun, speculation, keep, ignoreNeeds, intermediate);
  }

  /**
   * Returns a copy with another choice of tasks to rerun.
   *
   * @param value tasks that are run although an earlier run has done them
   */
  public RunOptions withRerun(String value) {
    return new RunOptions(keepGoing, value, speculation, keep, ignoreNeeds, intermediate);
  }

  /**
   * Returns a copy with another choice of files to keep.
   *
   * @param value intermediate files that are kept, in the syntax of {@link RetentionPolicy}
   */
  public RunOptions withKeep(String value) {
    return new RunOptions(keepGoing, rerun, speculation, value, ignoreNeeds, intermediate);
  }

  /** Returns a copy that uses or ignores the cores and memory measured in earlier runs. */
  public RunOptions withIgnoredNeeds(boolean value) {
    return new RunOptions(keepGoing, rerun, speculation, keep, value, intermediate);
  }

  /** Returns a copy whose tasks put files for each other somewhere else. */
  public RunOptions with(IntermediateStore value) {
    return new RunOptions(keepGoing, rerun, speculation, keep, ignoreNeeds, value);
  }
}
