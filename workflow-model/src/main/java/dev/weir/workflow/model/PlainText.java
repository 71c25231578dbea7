package dev.weir.workflow.model;

import java.util.Optional;

/**
 * Checks for text that workflow files can express with escapes, but that files or programs cannot
 * contain.
 */
public final class PlainText {

  private PlainText() {}

  /** Returns the offset of an unpaired surrogate, which cannot be encoded; -1 if there is none. */
  private static int unpairedSurrogate(String text) {
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

  /** Returns why a text cannot be written to a file, as a clause without its subject. */
  public static Optional<String> problem(String text) {
    int offset = unpairedSurrogate(text);
    return offset < 0
        ? Optional.empty()
        : Optional.of(
            "contains an unpaired surrogate, \\u"
                + Integer.toHexString(text.charAt(offset))
                + ", which cannot be written, at offset "
                + offset);
  }

  /** Returns why a text cannot be an argument or environment variable, likewise. */
  public static Optional<String> problemAsArgument(String text) {
    return text.indexOf('\0') < 0
        ? problem(text)
        : Optional.of("contains the character NUL, which cannot be passed to a program");
  }
}
