package dev.weir.workflow.am;

import java.util.List;

/** Looks after the run's files in HDFS. Calls block. */
interface Keeper {

  /**
   * Looks whether results are there.
   *
   * @param results ids of files that were committed
   * @return ids of those that are lost
   */
  List<String> lost(List<String> results);

  /**
   * Removes files; one that does not exist, or cannot be removed now, is no error.
   *
   * @param paths absolute paths
   */
  void remove(List<String> paths);
}
