package dev.weir.workflow.journal;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Builds the labels of task attempts, which are part of the names of temporary files. */
public final class AttemptLabels {

  private AttemptLabels() {}

  /**
   * Returns the prefix of the labels of all attempts of a run; short, because it is part of file
   * names.
   */
  public static String run(ApplicationId id) {
    return Long.toString(id.getClusterTimestamp(), Character.MAX_RADIX) + "." + id.getId() + "-";
  }

  /** Returns the prefix of the labels of all attempts that one ApplicationMaster orders. */
  public static String master(ApplicationAttemptId id) {
    return run(id.getApplicationId()) + id.getAttemptId();
  }

  /**
   * Returns the label of an attempt, which is unique for a file, also among several
   * ApplicationMasters and among runs that share a directory.
   *
   * @param master the prefix from {@link #master}
   */
  public static String of(String master, int attempt) {
    return master + "-" + attempt;
  }

  /**
   * Returns every label that an attempt may have: this ApplicationMaster ordered it, or took it
   * over from an earlier one.
   *
   * @return the labels, ordered by the ApplicationMaster's number
   */
  public static List<String> upTo(String master, int attempt) {
    int number = master.lastIndexOf('-') + 1;
    return IntStream.rangeClosed(1, Integer.parseInt(master.substring(number)))
        .mapToObj(earlier -> of(master.substring(0, number) + earlier, attempt))
        .toList();
  }
}
