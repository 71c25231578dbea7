package dev.weir.bench.patterns;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the tasks of a stage follow each other. */
enum PatternVariant {
  /** All tasks start at once, and none computes. */
  PLAIN,
  /** Four times as many tasks as nodes, each computing for 2 to 6 seconds before it writes. */
  WAVES,
  /** The writer of the file that others read takes twice as long as a link would. */
  SLOW_WRITER,
  /**
   * As plain, but with stock HDFS too the NameNode joins the outputs of tasks, as {@code hadoop fs
   * -concat} does.
   */
  CONCAT;

  boolean suits(Pattern pattern) {
    return switch (this) {
      case PLAIN -> true;
      case WAVES ->
          pattern == Pattern.PIPELINE || pattern == Pattern.BROADCAST || pattern == Pattern.REDUCE;
      case SLOW_WRITER -> pattern == Pattern.BROADCAST || pattern == Pattern.SCATTER;
      case CONCAT -> pattern == Pattern.GATHER;
    };
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the suffix of a pattern's name in titles. */
  String title() {
    return switch (this) {
      case PLAIN -> "";
      case WAVES -> " in waves";
      case SLOW_WRITER -> " of a slow writer";
      case CONCAT -> " joined by the NameNode";
    };
  }

  /** Parses variants of the command line, with hyphens or underscores. */
  static final class Converter implements ITypeConverter<PatternVariant> {

    @Override
    public PatternVariant convert(String value) {
      String label = value.strip().toLowerCase(Locale.ROOT).replace('_', '-');
      return Arrays.stream(values())
          .filter(variant -> variant.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "no variant '"
                          + value
                          + "': write some of "
                          + Arrays.stream(values())
                              .map(PatternVariant::label)
                              .collect(joining(","))));
    }
  }
}
