package dev.weir.workflow.staging;

import java.util.Map;

/** What every ApplicationMaster has to know, whatever its workers do. */
public interface MasterPlan {

  /**
   * How much to make of what is known.
   *
   * @return the mode
   */
  Mode mode();

  /**
   * The HDFS that holds the data.
   *
   * @return its URI
   */
  String fileSystem();

  /**
   * What workers to ask for.
   *
   * @return how many, and how large
   */
  WorkerPlan workers();

  /**
   * Configuration that the client insists on.
   *
   * @return values by key
   */
  Map<String, String> settings();

  /**
   * On whose behalf it works.
   *
   * @return short name of the user
   */
  String user();

  /**
   * The rack of each node that ran at the start.
   *
   * @return racks by host name
   */
  Map<String, String> racks();

  /**
   * On how many nodes its workers may be.
   *
   * @return at least 1
   */
  default int nodes() {
    return Math.max(1, Math.min(racks().size(), workers().count()));
  }

  /**
   * Whether there may be more tasks than anybody knows of at the start.
   *
   * @return whether; false for a run
   */
  default boolean endless() {
    return false;
  }

  /**
   * Where a file is in HDFS.
   *
   * @param fileId id of the file
   * @return absolute path
   */
  String path(String fileId);

  /**
   * Which file a path is of.
   *
   * @param path absolute path in HDFS
   * @return the id that {@link #path} makes that path of
   */
  default String fileId(String path) {
    String before = path("");
    return path.startsWith(before) ? path.substring(before.length()) : path;
  }
}
