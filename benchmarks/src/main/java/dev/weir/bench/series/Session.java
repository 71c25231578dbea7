package dev.weir.bench.series;

import java.time.Instant;
import java.util.List;

/**
 * One invocation that made runs of a series, on its own cluster.
 *
 * @param number from 1
 * @param begun its start
 * @param bytesPerSecond the measured rate of a link; 0 if not measured
 * @param load the machine's load average over a minute before the cluster was started; negative if
 *     not known
 * @param commit the commit of the checkout; "unknown" if not known
 */
public record Session(
    int number, Instant begun, double bytesPerSecond, double load, String commit) {
  private static final String COMMIT = "weir.commit";

  /** Returns the next session, with the commit of this process's checkout. */
  public static Session after(
      List<Session> earlier, Instant begun, double bytesPerSecond, double load) {
    int last = earlier.stream().mapToInt(Session::number).max().orElse(0);
    return new Session(last + 1, begun, bytesPerSecond, load, currentCommit());
  }

  /** Returns the commit of this process's checkout; "unknown" if not known. */
  static String currentCommit() {
    return System.getProperty(COMMIT, "unknown");
  }
}
