package dev.weir.hints;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One component of a {@link PathPattern}: alternatives, each a sequence of literal characters and
 * wildcards, or none at all for {@code **}.
 */
final class PatternComponent {
  /** A token for exactly one character; characters themselves are their own tokens. */
  static final int ANY = -1;

  /** A token for any number of characters. */
  static final int MANY = -2;

  static final PatternComponent ACROSS = new PatternComponent(List.of());

  private final List<int[]> alternatives;
  private final @Nullable String literal;

  /**
   * @param alternatives what the component may look like, in tokens; empty for {@code **}. Not
   *     copied: the parser hands it over.
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

  boolean isAcross() {
    return this == ACROSS;
  }

  boolean isLiteral() {
    return literal != null;
  }

  /**
   * The characters before the first wildcard; empty when there are alternatives, or none at all.
   */
  String literalBeginning() {
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

  /** Whether the characters of a text from one index up to another are such a name. */
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

  /** Greedy with one point to fall back to, so that no pattern is slow on a NameNode's thread. */
  private static boolean matches(int[] tokens, String text, int from, int end) {
    int n = from;
    int t = 0;
    int retryName = -1;
    int retryToken = -1;
    while (n < end) {
      if (t < tokens.length && tokens[t] == MANY) {
        retryToken = ++t;
        retryName = n;
      } else if (t < tokens.length && (tokens[t] == ANY || tokens[t] == text.charAt(n))) {
        t++;
        n++;
      } else if (retryToken >= 0) {
        t = retryToken;
        n = ++retryName;
      } else {
        return false;
      }
    }
    while (t < tokens.length && tokens[t] == MANY) {
      t++;
    }
    return t == tokens.length;
  }
}
