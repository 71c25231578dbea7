package dev.weir.cli.common;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Points in time for people. */
public final class Times {
  private Times() {}

  /** Without parts of a second; a text that is no time stays as it is. */
  public static String of(String time) {
    try {
      return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeException e) {
      return time;
    }
  }
}
