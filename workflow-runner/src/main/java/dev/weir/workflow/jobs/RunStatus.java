package dev.weir.workflow.jobs;

import dev.weir.workflow.record.RunState;

/**
 * The status of a run.
 *
 * @param id of the run, which names its directory
 * @param tasks tasks of its workflow; 0 in a request for the state only
 * @param done finished tasks; 0 in a request for the state only
 */
public record RunStatus(String id, RunState state, int tasks, int done) {

  /** The status without counts. */
  public RunStatus(String id, RunState state) {
    this(id, state, 0, 0);
  }
}
