package dev.weir.yarn.lookup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.fs.GlobExpander;

/**
 * Expands braces that span components, such as {@code {a/x,b/y}}, as {@link GlobExpander} does.
 * Braces within a component are left to the component's filter. Hadoop's expander builds all
 * alternatives at once, and a user's pattern of a few hundred characters can stand for more paths
 * than fit into the heap. This one builds a bounded number.
 */
final class BraceExpander {

  /** The most patterns that one pattern expands to. The rest is dropped. */
  static final int MAX_PATTERNS = 100;

  /** The most pairs of braces in a pattern. */
  static final int MAX_PAIRS = 16;

  /** The most characters in a pattern with braces. */
  static final int MAX_LENGTH = 4_096;

  private BraceExpander() {}

  /**
   * Expands braces that span components; returns the first alternatives in order.
   *
   * @throws BadPatternException if there are too many braces, or one is not closed
   */
  static List<String> expand(String pattern) throws BadPatternException {
    long pairs = pattern.chars().filter(c -> c == '{').count();
    if (pairs == 0) {
      return List.of(pattern);
    }
    if (pairs > MAX_PAIRS || pattern.length() > MAX_LENGTH) {
      throw new BadPatternException(
          "A pattern may have at most %d pairs of braces and, if it has any, %d characters"
              .formatted(MAX_PAIRS, MAX_LENGTH));
    }
    List<String> expanded = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>(List.of(pattern));
    while (!open.isEmpty() && expanded.size() < MAX_PATTERNS) {
      String next = open.pop();
      List<String> alternatives = alternatives(next);
      if (alternatives.isEmpty()) {
        expanded.add(next);
      } else {
        for (int i = Math.min(MAX_PATTERNS, alternatives.size()) - 1; i >= 0; i--) {
          open.push(alternatives.get(i));
        }
      }
    }
    return expanded;
  }

  /**
   * The pattern with each alternative of its first pair that contains a slash; empty if there is
   * none.
   */
  private static List<String> alternatives(String pattern) throws BadPatternException {
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '{') {
        int end = closingBrace(pattern, at);
        if (pattern.substring(at, end).indexOf('/') >= 0) {
          return split(pattern, at, end);
        }
        at = end;
      }
      at++;
    }
    return List.of();
  }

  private static int closingBrace(String pattern, int open) throws BadPatternException {
    int depth = 0;
    for (int i = open; i < pattern.length(); i++) {
      switch (pattern.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i;
      }
    }
    throw new BadPatternException(
        "A brace at character " + (open + 1) + " of a pattern is not closed");
  }

  private static List<String> split(String pattern, int open, int close) {
    String before = pattern.substring(0, open);
    String after = pattern.substring(close + 1);
    List<String> all = new ArrayList<>();
    int begin = open + 1;
    int depth = 0;
    for (int i = open + 1; i <= close && all.size() < MAX_PATTERNS; i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '{') {
        depth++;
      } else if (i == close || (c == ',' && depth == 0)) {
        all.add(before + pattern.substring(begin, i) + after);
        begin = i + 1;
      } else if (c == '}') {
        depth--;
      }
    }
    return all;
  }
}
