package dev.weir.workflow.staging;

import java.util.Map;

/** The plan of an ApplicationMaster, of a run or of a session. */
public interface MasterPlan {

  /** Returns how placement and scheduling use knowledge about the data. */
  Mode mode();

  /**
   * Returns the HDFS that holds the data.
   *
   * @return its URI
   */
  String fileSystem();

  /** Returns number and size of the workers. */
  WorkerPlan workers();

  /**
   * Returns the configuration that the client sets.
   *
   * @return values by key
   */
  Map<String, String> settings();

  /**
   * Returns the user on whose behalf it works.
   *
   * @return short name of the user
   */
  String user();

  /**
   * Returns the rack of each node that ran at the start.
   *
   * @return racks by host name
   */
  Map<String, String> racks();

  /**
   * Returns on how many nodes its workers may be.
   *
   * @return at least 1
   */
  default int nodes() {
    return Math.max(1, Math.min(racks().size(), workers().count()));
  }

  /**
   * Returns whether tasks may be added later.
   *
   * @return true for a session, false for a run
   */
  default boolean endless() {
    return false;
  }

  /**
   * Returns the path of a file in HDFS.
   *
   * @return absolute path
   */
  String path(String fileId);

  /**
   * Returns the id of the file with a path.
   *
   * @param path absolute path in HDFS
   * @return the inverse of {@link #path}
   */
  default String fileId(String path) {
    String prefix = path("");
    return path.startsWith(prefix) ? path.substring(prefix.length()) : path;
  }
}
