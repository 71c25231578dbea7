package dev.weir.workflow.staging;

import dev.weir.workflow.reuse.RerunChoice;

/**
 * What the user has chosen for a run beside what it does and where.
 *
 * @param keepGoing whether a run whose task has failed for good does what it can without that task
 * @param rerun what is run although an earlier run has done it, as {@link RerunChoice#parse} reads
 *     it
 * @param speculation whether stragglers may have a second copy
 * @param ahead whether files are copied to nodes before tasks that read them are ready, where it
 *     pays
 * @param keep which files in between stay when no task needs them any more, as {@link
 *     RetentionPolicy} has it
 * @param ignoreNeeds whether also the cores and the memory that earlier runs have shown are left
 *     aside
 */
public record RunOptions(
    boolean keepGoing,
    String rerun,
    boolean speculation,
    boolean ahead,
    String keep,
    boolean ignoreNeeds) {

  /** Whether files are copied ahead where nobody says otherwise. */
  public static final boolean AHEAD = true;

  /**
   * The first task that fails for good ends the run, everything is run, stragglers have a second
   * copy, files are copied ahead where it pays, and all files stay.
   */
  public static final RunOptions DEFAULT = new RunOptions(false, RerunChoice.ALL, true);

  /** Plans of older clients say nothing of what is kept: everything was. */
  public RunOptions {
    keep = keep == null ? RetentionPolicy.ALL : keep;
  }

  /**
   * Choices with what earlier runs have shown of cores and memory.
   *
   * @param keepGoing whether a run whose task has failed for good does what it can without it
   * @param rerun what is run although an earlier run has done it
   * @param speculation whether stragglers may have a second copy
   * @param ahead whether files are copied ahead of tasks, where it pays
   * @param keep which files in between stay, as {@link RetentionPolicy} has it
   */
  public RunOptions(
      boolean keepGoing, String rerun, boolean speculation, boolean ahead, String keep) {
    this(keepGoing, rerun, speculation, ahead, keep, false);
  }

  /**
   * Choices with files that all stay.
   *
   * @param keepGoing whether a run whose task has failed for good does what it can without it
   * @param rerun what is run although an earlier run has done it
   * @param speculation whether stragglers may have a second copy
   * @param ahead whether files are copied ahead of tasks, where it pays
   */
  public RunOptions(boolean keepGoing, String rerun, boolean speculation, boolean ahead) {
    this(keepGoing, rerun, speculation, ahead, RetentionPolicy.ALL);
  }

  /**
   * Choices with files that are copied ahead as usual, and all stay.
   *
   * @param keepGoing whether a run whose task has failed for good does what it can without it
   * @param rerun what is run although an earlier run has done it
   * @param speculation whether stragglers may have a second copy
   */
  public RunOptions(boolean keepGoing, String rerun, boolean speculation) {
    this(keepGoing, rerun, speculation, AHEAD);
  }

  /**
   * The same with another choice of what to run again.
   *
   * @param value what is run although an earlier run has done it
   * @return the choices
   */
  public RunOptions withRerun(String value) {
    return new RunOptions(keepGoing, value, speculation, ahead, keep, ignoreNeeds);
  }

  /**
   * The same with another choice of what to keep.
   *
   * @param value which files in between stay, as {@link RetentionPolicy} has it
   * @return the choices
   */
  public RunOptions withKeep(String value) {
    return new RunOptions(keepGoing, rerun, speculation, ahead, value, ignoreNeeds);
  }

  /**
   * The same with or without what earlier runs have shown of cores and memory.
   *
   * @param value whether it is left aside
   * @return the choices
   */
  public RunOptions withIgnoredNeeds(boolean value) {
    return new RunOptions(keepGoing, rerun, speculation, ahead, keep, value);
  }
}
