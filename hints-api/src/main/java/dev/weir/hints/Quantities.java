package dev.weir.hints;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes and durations. */
public final class Quantities {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})([kKmMgGtT]?)[bB]?");
  private static final String SIZE_UNITS = "kmgt";
  private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(ms|[smhdSMHD])");

  private Quantities() {}

  /**
   * Parses a size such as {@code 64m}; k, m, g and t are powers of 1024.
   *
   * @throws InvalidHintException if it is invalid
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (matcher.matches()) {
      String unit = matcher.group(2).toLowerCase(Locale.ROOT);
      int power = unit.isEmpty() ? 0 : SIZE_UNITS.indexOf(unit) + 1;
      try {
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power));
      } catch (ArithmeticException e) {
        throw new InvalidHintException("size '" + text + "' is too large for a file", e);
      }
    }
    throw new InvalidHintException(
        "size '" + text + "' is invalid; write bytes, or a number with k, m or g such as 64m");
  }

  /** The shortest text that {@link #bytes} parses as this number of bytes. */
  public static String format(long bytes) {
    long number = bytes;
    int power = 0;
    while (power < SIZE_UNITS.length() && number != 0 && number % 1024 == 0) {
      number /= 1024;
      power++;
    }
    return power == 0 ? String.valueOf(number) : "" + number + SIZE_UNITS.charAt(power - 1);
  }

  /**
   * Parses a duration such as {@code 500ms}, {@code 90s}, {@code 30m}, {@code 12h}, {@code 7d} or
   * {@code PT12H}.
   *
   * @throws InvalidHintException if it is invalid
   */
  public static Duration duration(String text) {
    Matcher matcher = TIME.matcher(text.strip());
    try {
      if (matcher.matches()) {
        String unit = matcher.group(2).toUpperCase(Locale.ROOT);
        if (unit.equals("MS")) {
          return Duration.ofMillis(Long.parseLong(matcher.group(1)));
        }
        return Duration.parse((unit.equals("D") ? "P" : "PT") + matcher.group(1) + unit);
      }
      return Duration.parse(text.strip());
    } catch (DateTimeException | ArithmeticException e) {
      throw new InvalidHintException(
          "duration '" + text + "' is invalid; write one such as 90s, 30m, 12h or 7d", e);
    }
  }

  /** The shortest text that {@link #duration} parses as this duration. */
  public static String format(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds <= 0 || !Duration.ofSeconds(seconds).equals(duration)) {
      return duration.toString();
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
