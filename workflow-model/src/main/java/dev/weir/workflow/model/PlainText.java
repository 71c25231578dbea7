package dev.weir.workflow.model;

import java.util.Optional;

/** Text that workflow files can spell, with escapes, and that neither files nor programs take. */
public final class PlainText {

  private PlainText() {}

  /**
   * Where half a character stands, one of a surrogate pair without the other. No encoding has it.
   *
   * @param text any text
   * @return its offset; -1 when there is none
   */
  private static int halfAt(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /**
   * Why a text cannot be written to a file.
   *
   * @param text any text
   * @return what it holds, a clause without its subject; empty when it can be
   */
  public static Optional<String> problem(String text) {
    int half = halfAt(text);
    return half < 0
        ? Optional.empty()
        : Optional.of(
            "holds half a character, \\u"
                + Integer.toHexString(text.charAt(half))
                + ", which cannot be written, at offset "
                + half);
  }

  /**
   * Why no program can be given a text, as an argument or in a variable.
   *
   * @param text any text
   * @return what it holds, a clause without its subject; empty when it can be given
   */
  public static Optional<String> problemAsArgument(String text) {
    return text.indexOf('\0') < 0
        ? problem(text)
        : Optional.of("holds the character NUL, which no program can be given");
  }
}
