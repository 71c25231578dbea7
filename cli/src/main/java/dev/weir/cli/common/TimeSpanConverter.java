package dev.weir.cli.common;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times such as {@code 12h}, {@code 30m}, {@code 500ms} or {@code PT1H30M}. */
public final class TimeSpanConverter implements ITypeConverter<Duration> {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  @Override
  public Duration convert(String value) {
    Duration span = parse(value);
    if (span.isNegative() || span.isZero()) {
      throw new TypeConversionException("'" + value + "' is no time; write more than 0");
    }
    return span;
  }

  private static Duration parse(String value) {
    Matcher matcher = SHORT.matcher(value.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      try {
        return Duration.parse(value);
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "'" + value + "' is no time; write one such as 12h, 30m or 2d");
      }
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
