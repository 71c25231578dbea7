package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;

/**
 * A word of JX.
 *
 * @param kind what it is
 * @param text as written; of a string its value
 * @param place where it begins
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

  /** For messages. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the file";
      case STRING -> '"' + (text.length() > 30 ? text.substring(0, 30) + "..." : text) + '"';
      default -> "'" + text + "'";
    };
  }
}
