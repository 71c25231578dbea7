package dev.weir.workflow.worker;

/** Says whether an attempt that has stored its outputs may commit them. */
interface Permit {

  /** For an attempt that is the only one. */
  Permit NOT_NEEDED = () -> {};

  /**
   * Waits for the permission.
   *
   * @throws InterruptedException when it is refused, or the attempt is to stop
   */
  void await() throws InterruptedException;
}
