package dev.weir.workflow.controller;

import java.util.List;

/** Requests and releases workers. Does not block. */
public interface WorkerStaffing {

  /**
   * Requests workers up to a total number.
   *
   * @param inputs for some of the missing workers, ids of files that their first tasks read
   */
  void request(int workers, List<List<String>> inputs);

  /** Releases an idle worker, which is not replaced. */
  void release(String worker);
}
