package dev.weir.cli.common;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

public final class Times {
  private Times() {}

  /** Formats a duration, such as {@code 1:05} for minutes or {@code 2:01:05} for hours. */
  public static String passed(Duration time) {
    if (time.isNegative()) {
      return "0:00";
    }
    return time.toHours() == 0
        ? String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart())
        : String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            time.toHours(),
            time.toMinutesPart(),
            time.toSecondsPart());
  }

  /** Formats a time without fractions of a second. Returns a text that is not a time unchanged. */
  public static String of(String time) {
    try {
      return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeException e) {
      return time;
    }
  }
}
