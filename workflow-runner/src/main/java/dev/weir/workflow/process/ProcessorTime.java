package dev.weir.workflow.process;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Parses the output of bash's {@code times}, such as {@code 0m0.012s 1m2.003s}. */
final class ProcessorTime {

  private ProcessorTime() {}

  /**
   * Adds up the times in a line.
   *
   * @param line any text
   * @return the sum in milliseconds; 0 when there are none
   */
  static long parse(String line) {
    try {
      long millis = 0;
      for (String word : line.split(" ", -1)) {
        millis += Duration.parse("PT" + word).toMillis();
      }
      return millis;
    } catch (DateTimeParseException e) {
      return 0;
    }
  }
}
