package dev.weir.hints;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component of a {@link PathPattern}: one or more alternatives, each a sequence of literal
 * characters and wildcards. {@code **} has no alternatives.
 */
final class PatternComponent {
  /** The token for exactly one character. Literal characters are their own tokens. */
  static final int QUESTION_MARK = -1;

  /** The token for any number of characters. */
  static final int STAR = -2;

  static final PatternComponent DOUBLE_STAR = new PatternComponent(List.of());

  private final List<int[]> alternatives;
  private final @Nullable String literal;

  /**
   * @param alternatives token sequences; empty for {@code **}. The arrays are not copied.
   */
  PatternComponent(List<int[]> alternatives) {
    this.alternatives = List.copyOf(alternatives);
    this.literal = literal(this.alternatives);
  }

  private PatternComponent(String literal) {
    this.alternatives = List.of();
    this.literal = literal;
  }

  /** A component without wildcards. */
  static PatternComponent of(String name) {
    return new PatternComponent(name);
  }

  private static @Nullable String literal(List<int[]> alternatives) {
    if (alternatives.size() != 1 || literals(alternatives.get(0)) != alternatives.get(0).length) {
      return null;
    }
    int[] tokens = alternatives.get(0);
    StringBuilder text = new StringBuilder(tokens.length);
    for (int token : tokens) {
      text.append((char) token);
    }
    return text.toString();
  }

  boolean isDoubleStar() {
    return this == DOUBLE_STAR;
  }

  boolean isLiteral() {
    return literal != null;
  }

  /** The characters before the first wildcard; empty if there are several alternatives or none. */
  String literalStart() {
    if (literal != null) {
      return literal;
    }
    if (alternatives.size() != 1) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (int token : alternatives.get(0)) {
      if (token < 0) {
        break;
      }
      text.append((char) token);
    }
    return text.toString();
  }

  /** The fewest literal characters of any alternative. */
  int literalCharacters() {
    if (literal != null) {
      return literal.length();
    }
    return alternatives.stream().mapToInt(PatternComponent::literals).min().orElse(0);
  }

  boolean matches(String text, int from, int end) {
    if (literal != null) {
      return literal.length() == end - from && text.startsWith(literal, from);
    }
    for (int i = 0; i < alternatives.size(); i++) {
      if (matches(alternatives.get(i), text, from, end)) {
        return true;
      }
    }
    return false;
  }

  private static int literals(int[] tokens) {
    int count = 0;
    for (int token : tokens) {
      if (token >= 0) {
        count++;
      }
    }
    return count;
  }

  /**
   * Matches greedily with a single backtracking point, so that no pattern is slow on a NameNode's
   * thread.
   */
  private static boolean matches(int[] tokens, String text, int from, int end) {
    int n = from;
    int t = 0;
    int retryName = -1;
    int retryToken = -1;
    while (n < end) {
      if (t < tokens.length && tokens[t] == STAR) {
        retryToken = ++t;
        retryName = n;
      } else if (t < tokens.length && (tokens[t] == QUESTION_MARK || tokens[t] == text.charAt(n))) {
        t++;
        n++;
      } else if (retryToken >= 0) {
        t = retryToken;
        n = ++retryName;
      } else {
        return false;
      }
    }
    while (t < tokens.length && tokens[t] == STAR) {
      t++;
    }
    return t == tokens.length;
  }
}
