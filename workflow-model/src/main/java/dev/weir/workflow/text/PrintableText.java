package dev.weir.workflow.text;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes foreign text, such as names of tasks or the output of commands, safe for a terminal. The
 * result is one line without control characters and without characters that change the text
 * direction.
 */
public final class PrintableText {
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*[mK]");
  private static final String TAB = "    ";

  private PrintableText() {}

  /**
   * Returns a text with escapes, such as {@code \n} and <code>&#92;u001b</code>, for unprintable
   * characters.
   *
   * @return one line
   */
  public static String of(String text) {
    if (text.codePoints().noneMatch(PrintableText::isHidden)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints().forEach(c -> shown.append(isHidden(c) ? escape(c) : Character.toString(c)));
    return shown.toString();
  }

  /** Returns a line of a program's output without its colours. */
  public static String printed(String line) {
    return of(COLOURS.matcher(line).replaceAll("").replace("\t", TAB));
  }

  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      case Character.FORMAT -> isDirection(c);
      default -> false;
    };
  }

  /**
   * Returns whether a format character changes the text direction. Joiners do not; they are part of
   * words and emoji.
   */
  private static boolean isDirection(int c) {
    return c == 0x61c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  private static String escape(int c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(Locale.ROOT, "\\u%04x", c);
    };
  }
}
