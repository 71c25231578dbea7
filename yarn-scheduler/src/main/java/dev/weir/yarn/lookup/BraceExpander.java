package dev.weir.yarn.lookup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.fs.GlobExpander;

/**
 * Resolves braces that reach across components, such as {@code {a/x,b/y}}, as {@link GlobExpander}
 * does; the others are for the filter of a component. Unlike Hadoop's, which makes all of them
 * before anybody can stop it, this makes a bounded number, for whoever may ask for containers may
 * write a pattern of a few hundred characters that stands for more paths than a heap holds.
 */
final class BraceExpander {

  /** Patterns that one may stand for; the rest is left out. */
  static final int MOST = 100;

  /** Pairs of braces that one may have. */
  static final int MOST_PAIRS = 16;

  /** Characters that one with braces may have. */
  static final int LONGEST = 4_096;

  private BraceExpander() {}

  /**
   * The first patterns without such braces, in order.
   *
   * @throws BadPatternException when there are too many braces, or one has no partner
   */
  static List<String> expand(String pattern) throws BadPatternException {
    long pairs = pattern.chars().filter(c -> c == '{').count();
    if (pairs == 0) {
      return List.of(pattern);
    }
    if (pairs > MOST_PAIRS || pattern.length() > LONGEST) {
      throw new BadPatternException(
          "A pattern may have %d pairs of braces and, with any, %d characters"
              .formatted(MOST_PAIRS, LONGEST));
    }
    List<String> done = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>(List.of(pattern));
    while (!open.isEmpty() && done.size() < MOST) {
      String next = open.pop();
      List<String> alternatives = alternatives(next);
      if (alternatives.isEmpty()) {
        done.add(next);
      } else {
        for (int i = Math.min(MOST, alternatives.size()) - 1; i >= 0; i--) {
          open.push(alternatives.get(i));
        }
      }
    }
    return done;
  }

  /** The pattern with each alternative of its first pair that has a slash in it; empty if none. */
  private static List<String> alternatives(String pattern) throws BadPatternException {
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '{') {
        int end = partner(pattern, at);
        if (pattern.substring(at, end).indexOf('/') >= 0) {
          return split(pattern, at, end);
        }
        at = end;
      }
      at++;
    }
    return List.of();
  }

  private static int partner(String pattern, int open) throws BadPatternException {
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
    for (int i = open + 1; i <= close && all.size() < MOST; i++) {
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
