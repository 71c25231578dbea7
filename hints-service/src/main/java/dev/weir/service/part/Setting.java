package dev.weir.service.part;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.Quantities;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * A key of the configuration, with its documentation.
 *
 * @param fallback the default, as text
 * @param unit the unit or form of the value
 * @param doc one sentence
 * @param reader parses the value; throws an {@link IllegalArgumentException} that says what to
 *     write
 * @param <T> the type of the value
 */
public record Setting<T>(
    String key, String fallback, String unit, String doc, Function<String, T> reader) {
  private static final String TIME_FORM = "a time such as 500ms, 10s, 5m, 12h or 30d";
  private static final Pattern SIZE = Pattern.compile("\\d{1,15}[kKmMgG]?");

  /** Checks the default. */
  public Setting {
    T unused = reader.apply(fallback);
  }

  public static Setting<String> text(String key, String fallback, String unit, String doc) {
    return new Setting<>(key, fallback, unit, doc, Function.identity());
  }

  /** True or false. */
  public static Setting<Boolean> flag(String key, boolean fallback, String doc) {
    return new Setting<>(key, Boolean.toString(fallback), "true, false", doc, Setting::flagOf);
  }

  /** An integer within bounds. */
  public static Setting<Integer> count(String key, int fallback, int min, int max, String doc) {
    return new Setting<>(
        key, Integer.toString(fallback), "number", doc, text -> countOf(text, min, max));
  }

  /** A time such as 500ms, 10s, 5m, 12h or 30d. */
  public static Setting<Duration> time(String key, String fallback, String doc) {
    return new Setting<>(key, fallback, "ms, s, m, h, d", doc, Setting::timeOf);
  }

  /** Bytes such as 4096, 64k, 32m or 1g. */
  public static Setting<Long> size(String key, String fallback, String doc) {
    return new Setting<>(key, fallback, "bytes; k, m, g", doc, Setting::sizeOf);
  }

  /** One of some words, in any case; upper case in Java. */
  public static Setting<String> word(String key, String fallback, List<String> words, String doc) {
    return new Setting<>(key, fallback, String.join(", ", words), doc, text -> wordOf(text, words));
  }

  /**
   * Reads the value.
   *
   * @throws IllegalArgumentException if the value is invalid; the message has the key, the value
   *     and what to write
   */
  public T from(Configuration configuration) {
    String text = configuration.getTrimmed(key, fallback);
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " is '" + text + "'; write " + e.getMessage() + ", or leave it out for " + fallback,
          e);
    }
  }

  private static boolean flagOf(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("true or false");
    };
  }

  private static int countOf(String text, int min, int max) {
    String remedy = "a whole number from " + min + " to " + max;
    try {
      int number = Integer.parseInt(text);
      if (number < min || number > max) {
        throw new IllegalArgumentException(remedy);
      }
      return number;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(remedy, e);
    }
  }

  private static Duration timeOf(String text) {
    try {
      Duration time = Quantities.duration(text);
      if (!time.isNegative()) {
        return time;
      }
    } catch (InvalidHintException e) {
      throw new IllegalArgumentException(TIME_FORM, e);
    }
    throw new IllegalArgumentException(TIME_FORM);
  }

  private static long sizeOf(String text) {
    if (!SIZE.matcher(text).matches()) {
      throw new IllegalArgumentException("bytes such as 4096, 64k, 32m or 1g");
    }
    return TraditionalBinaryPrefix.string2long(text);
  }

  private static String wordOf(String text, List<String> words) {
    return words.stream()
        .filter(word -> word.equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("one of " + Arrays.toString(words.toArray())));
  }
}
