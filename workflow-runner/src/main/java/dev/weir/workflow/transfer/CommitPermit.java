package dev.weir.workflow.transfer;

/** Says whether an attempt that has stored its outputs may commit them. */
public interface CommitPermit {

  /**
   * Waits for the permission.
   *
   * @throws InterruptedException when it is refused, or the attempt is to stop
   */
  void await() throws InterruptedException;

  /** Says it to attempts that may not need to ask. */
  interface AsNeeded {

    /** For an attempt that is the only one. */
    AsNeeded NEVER = asks -> {};

    /**
     * Waits for the permission, if one is needed.
     *
     * @param asks whether the order of the attempt says that one is; it may be all the same
     * @throws InterruptedException when it is refused, or the attempt is to stop
     */
    void await(boolean asks) throws InterruptedException;
  }
}
