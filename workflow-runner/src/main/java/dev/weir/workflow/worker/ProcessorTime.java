package dev.weir.workflow.worker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what bash says of times, such as {@code 0m0.012s 1m2.003s}. */
final class ProcessorTime {

  private static final Pattern TIME = Pattern.compile("(\\d+)m(\\d+)[.,](\\d{3})s");
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long SECONDS_PER_MINUTE = 60;
  private static final int MILLIS = 3;

  private ProcessorTime() {}

  /**
   * Adds the times up.
   *
   * @param line any text
   * @return the sum of the times in it, in milliseconds; 0 when there are none
   */
  static long parse(String line) {
    long millis = 0;
    Matcher time = TIME.matcher(line);
    while (time.find()) {
      long seconds =
          Long.parseLong(time.group(1)) * SECONDS_PER_MINUTE + Long.parseLong(time.group(2));
      millis += seconds * MILLIS_PER_SECOND + Long.parseLong(time.group(MILLIS));
    }
    return millis;
  }
}
