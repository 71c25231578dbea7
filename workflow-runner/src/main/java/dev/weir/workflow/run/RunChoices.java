package dev.weir.workflow.run;

import dev.weir.workflow.reuse.Rerun;

/**
 * What the user has chosen for a run beside what it does and where.
 *
 * @param keepGoing whether a run whose task has failed for good does what it can without that task
 * @param rerun what is run although an earlier run has done it, as {@link Rerun#parse} reads it
 * @param speculation whether stragglers may have a second copy
 */
public record RunChoices(boolean keepGoing, String rerun, boolean speculation) {

  /**
   * The first task that fails for good ends the run, everything is run, and stragglers have a
   * second copy.
   */
  public static final RunChoices DEFAULT = new RunChoices(false, Rerun.ALL, true);

  /**
   * The same with another choice of what to run again.
   *
   * @param value what is run although an earlier run has done it
   * @return the choices
   */
  public RunChoices withRerun(String value) {
    return new RunChoices(keepGoing, value, speculation);
  }
}
