package dev.weir.workflow.am;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The labels of attempts at tasks, which end up in the names of temporary files. */
final class AttemptLabels {

  private AttemptLabels() {}

  /** What the labels of all attempts of a run begin with, short, for it ends up in file names. */
  static String run(ApplicationId id) {
    return Long.toString(id.getClusterTimestamp(), Character.MAX_RADIX) + "." + id.getId() + "-";
  }

  /** What the labels of all attempts that one ApplicationMaster orders begin with. */
  static String master(ApplicationAttemptId id) {
    return run(id.getApplicationId()) + id.getAttemptId();
  }

  /**
   * Unique for a file, also among several ApplicationMasters, and runs that share a directory.
   *
   * @param master as {@link #master} makes it
   * @param attempt number of the attempt
   */
  static String of(String master, int attempt) {
    return master + "-" + attempt;
  }
}
