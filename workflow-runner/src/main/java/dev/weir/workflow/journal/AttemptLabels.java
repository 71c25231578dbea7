package dev.weir.workflow.journal;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The labels of attempts at tasks, which end up in the names of temporary files. */
public final class AttemptLabels {

  private AttemptLabels() {}

  /** What the labels of all attempts of a run begin with, short, for it ends up in file names. */
  public static String run(ApplicationId id) {
    return Long.toString(id.getClusterTimestamp(), Character.MAX_RADIX) + "." + id.getId() + "-";
  }

  /** What the labels of all attempts that one ApplicationMaster orders begin with. */
  public static String master(ApplicationAttemptId id) {
    return run(id.getApplicationId()) + id.getAttemptId();
  }

  /**
   * Unique for a file, also among several ApplicationMasters, and runs that share a directory.
   *
   * @param master as {@link #master} makes it
   * @param attempt number of the attempt
   */
  public static String of(String master, int attempt) {
    return master + "-" + attempt;
  }

  /**
   * The labels that an attempt may have: this ApplicationMaster has ordered it, or has taken it
   * over from one before.
   *
   * @param master as {@link #master} makes it
   * @param attempt number of the attempt
   * @return those of the first one first
   */
  public static List<String> upTo(String master, int attempt) {
    int number = master.lastIndexOf('-') + 1;
    return IntStream.rangeClosed(1, Integer.parseInt(master.substring(number)))
        .mapToObj(earlier -> of(master.substring(0, number) + earlier, attempt))
        .toList();
  }
}
