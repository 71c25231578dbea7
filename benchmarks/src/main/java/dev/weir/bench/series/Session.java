package dev.weir.bench.series;

import java.time.Instant;
import java.util.List;

/**
 * One call that made runs of a series, on a cluster of its own.
 *
 * @param number from 1
 * @param begun when
 * @param bytesPerSecond what a link was seen to carry; 0 where that was not measured
 * @param load of the machine before the cluster was started, as its kernel tells it over a minute;
 *     negative where it does not
 * @param commit of the checkout that it ran from; "unknown" where that is not known
 */
public record Session(
    int number, Instant begun, double bytesPerSecond, double load, String commit) {
  private static final String COMMIT = "weir.commit";

  /**
   * The next one, from the checkout that this process is of.
   *
   * @param earlier those that there were
   * @param bytesPerSecond what a link was seen to carry; 0 where that was not measured
   * @param load of the machine before the cluster was started
   */
  public static Session after(
      List<Session> earlier, Instant begun, double bytesPerSecond, double load) {
    int last = earlier.stream().mapToInt(Session::number).max().orElse(0);
    return new Session(
        last + 1, begun, bytesPerSecond, load, System.getProperty(COMMIT, SoftwareVersion.UNKNOWN));
  }
}
