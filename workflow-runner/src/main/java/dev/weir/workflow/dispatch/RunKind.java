package dev.weir.workflow.dispatch;

/**
 * What a run is like.
 *
 * @param grows whether tasks are added: such a run has no end of its own
 * @param waits whether ready tasks may wait for busy workers; that makes sense only where it can be
 *     known how long these are busy
 */
record RunKind(boolean grows, boolean waits) {

  /** All tasks are known from the start. */
  static final RunKind WORKFLOW = new RunKind(false, true);

  /** Nobody knows how long jobs take. */
  static final RunKind POOL = new RunKind(true, false);
}
