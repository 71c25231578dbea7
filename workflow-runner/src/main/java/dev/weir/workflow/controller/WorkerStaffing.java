package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;
import java.util.Map;

/** Requests and releases workers. Does not block. */
public interface WorkerStaffing {

  /**
   * Requests workers up to a total number.
   *
   * @param inputs for some of the missing workers, ids of files that their first tasks read
   */
  void request(int workers, List<List<String>> inputs);

  /**
   * Requests dedicated workers, and withdraws requests that are not needed any more.
   *
   * @param workers how many are wanted in all, by what their tasks need
   */
  void requestDedicated(Map<ResourceNeeds, Integer> workers);

  /** Releases an idle worker, which is not replaced. */
  void release(String worker);
}
