package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.TextPlace;
import org.jspecify.annotations.Nullable;

/** A position in a text that moves forward. Not thread-safe. */
final class Cursor {

  /** Stands for a character after the end of the text. */
  static final char END = '\0';

  private final String text;
  private final @Nullable TextPlace fixed;
  private int at;
  private int line = 1;
  private int lineStart;

  private Cursor(String text, @Nullable TextPlace fixed) {
    this.text = text;
    this.fixed = fixed;
  }

  static Cursor of(String text) {
    return new Cursor(text.replace("\r\n", "\n"), null);
  }

  /**
   * Creates a cursor over the value of a variable. Its place is always that of the variable's use.
   */
  static Cursor ofValue(String value, TextPlace place) {
    return new Cursor(value, place);
  }

  TextPlace place() {
    return fixed != null ? fixed : new TextPlace(line, at - lineStart + 1);
  }

  boolean atEnd() {
    return at >= text.length();
  }

  char peek() {
    return peek(0);
  }

  char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : END;
  }

  char next() {
    char c = peek();
    at++;
    if (c == '\n') {
      line++;
      lineStart = at;
    }
    return c;
  }

  void skip(int characters) {
    for (int i = 0; i < characters; i++) {
      next();
    }
  }

  void skipBlanks() {
    while (peek() == ' ' || peek() == '\t') {
      next();
    }
  }

  /** Reads to the end of the line, excluding the line break. */
  String restOfLine() {
    int start = at;
    while (!atEnd() && peek() != '\n') {
      next();
    }
    return text.substring(start, Math.min(at, text.length()));
  }

  /** Returns the rest of the line without moving. */
  String lookAtLine() {
    int end = text.indexOf('\n', at);
    return text.substring(Math.min(at, text.length()), end < 0 ? text.length() : end);
  }
}
