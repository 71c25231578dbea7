package dev.weir.hints;

import java.util.List;

/**
 * One component of a {@link PathPattern}: alternatives, each a sequence of literal characters and
 * wildcards, or none at all for {@code **}.
 */
final class Component {
  /** A token for exactly one character; characters themselves are their own tokens. */
  static final int ANY = -1;

  /** A token for any number of characters. */
  static final int MANY = -2;

  static final Component ACROSS = new Component(List.of());

  private final List<int[]> alternatives;

  /**
   * @param alternatives what the component may look like, in tokens; empty for {@code **}. Not
   *     copied: the parser hands it over.
   */
  Component(List<int[]> alternatives) {
    this.alternatives = List.copyOf(alternatives);
  }

  boolean isAcross() {
    return alternatives.isEmpty();
  }

  boolean isLiteral() {
    return alternatives.size() == 1 && literals(alternatives.get(0)) == alternatives.get(0).length;
  }

  /**
   * The characters before the first wildcard; empty when there are alternatives, or none at all.
   */
  String literalBeginning() {
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
    return alternatives.stream().mapToInt(Component::literals).min().orElse(0);
  }

  boolean matches(String name) {
    for (int[] alternative : alternatives) {
      if (matches(alternative, name)) {
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
  private static boolean matches(int[] tokens, String name) {
    int n = 0;
    int t = 0;
    int retryName = -1;
    int retryToken = -1;
    while (n < name.length()) {
      if (t < tokens.length && tokens[t] == MANY) {
        retryToken = ++t;
        retryName = n;
      } else if (t < tokens.length && (tokens[t] == ANY || tokens[t] == name.charAt(n))) {
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
