package dev.weir.workflow.transfer;

/** Waits until an attempt that has stored its outputs may commit them. */
public interface CommitPermit {

  /**
   * Waits for the permission.
   *
   * @throws InterruptedException when it is refused, or the attempt must stop
   */
  void await() throws InterruptedException;

  /** Waits for the permission only if the attempt needs one. */
  interface AsNeeded {

    /** For the only attempt at a task. */
    AsNeeded NEVER = asks -> {};

    /**
     * Waits for the permission, if one is needed.
     *
     * @param asks whether the order of the attempt requires it; it may be needed even when this is
     *     false
     * @throws InterruptedException when it is refused, or the attempt must stop
     */
    void await(boolean asks) throws InterruptedException;
  }
}
