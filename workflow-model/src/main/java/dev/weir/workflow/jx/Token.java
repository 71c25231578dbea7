package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;

/**
 * A token of JX.
 *
 * @param text its text; the value of a string
 * @param place its start
 */
record Token(Kind kind, String text, TextPlace place) {

  enum Kind {
    STRING,
    INTEGER,
    REAL,
    SYMBOL,
    /** An operator or a bracket; {@code not}, {@code and}, {@code or} are symbols. */
    PUNCTUATION,
    END
  }

  boolean is(String punctuation) {
    return kind == Kind.PUNCTUATION && text.equals(punctuation);
  }

  boolean isWord(String word) {
    return kind == Kind.SYMBOL && text.equals(word);
  }

  /** Returns the token for messages. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the file";
      case STRING -> '"' + (text.length() > 30 ? text.substring(0, 30) + "..." : text) + '"';
      default -> "'" + text + "'";
    };
  }
}
