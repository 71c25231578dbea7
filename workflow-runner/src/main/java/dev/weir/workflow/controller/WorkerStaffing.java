package dev.weir.workflow.controller;

import java.util.List;

/** Who hires workers and lets them go. Does not block. */
public interface WorkerStaffing {

  /**
   * Wants so many workers at least, those included that are there.
   *
   * @param inputs for some of those that are still to come, ids of files that they would read
   */
  void want(int workers, List<List<String>> inputs);

  /** A worker that has nothing to do is told to go; nobody is to take its place. */
  void letGo(String worker);
}
