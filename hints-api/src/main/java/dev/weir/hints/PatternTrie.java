package dev.weir.hints;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rules with wildcards at the nodes of a trie of path components: each at the node of its literal
 * prefix, and there under the characters that its first component with wildcards begins with. So a
 * look-up tries few patterns, even when there are thousands for one directory. Immutable.
 */
final class PatternTrie {
  /**
   * How many patterns a look-up tries at most; what it has found by then counts. One that begins
   * alike with thousands of others would otherwise cost every block a millisecond and more.
   */
  static final int MAX_TRIED = 4096;

  private final Node root = new Node();

  /**
   * A trie of the rules whose patterns have wildcards.
   *
   * @param matches the rules, in the order that decides between equally specific ones
   */
  PatternTrie(List<Match> matches) {
    List<Match> sorted = new ArrayList<>(matches);
    sorted.sort(
        Comparator.comparing(match -> match.rule().pattern(), PathPattern.mostSpecificFirst()));
    for (int rank = 0; rank < sorted.size(); rank++) {
      add(new Ranked(rank, sorted.get(rank)));
    }
    root.freeze();
  }

  boolean isEmpty() {
    return root.isEmpty();
  }

  /** The rule that wins among those that match; null when none does. */
  @Nullable Match lookup(List<String> path) {
    return root.lookup(path, 0, new Budget());
  }

  private void add(Ranked ranked) {
    PathPattern pattern = ranked.match().rule().pattern();
    Node node = root;
    for (String name : pattern.literalComponents()) {
      node = node.children.computeIfAbsent(name, unused -> new Node());
    }
    node.matches
        .computeIfAbsent(pattern.firstWildcardPrefix(), unused -> new ArrayList<>())
        .add(ranked);
  }

  /**
   * A rule and its place among all.
   *
   * @param rank the lower, the more specific
   */
  private record Ranked(int rank, Match match) {}

  /** Of one look-up. */
  private static final class Budget {
    private int left = MAX_TRIED;

    boolean take() {
      return left-- > 0;
    }
  }

  /** A directory that some pattern's literal prefix names or leads through. */
  private static final class Node {
    private final Map<String, Node> children = new HashMap<>();
    private final Map<String, List<Ranked>> matches = new HashMap<>();
    private int[] prefixLengths = {};

    boolean isEmpty() {
      return children.isEmpty() && matches.isEmpty();
    }

    void freeze() {
      TreeSet<Integer> lengths = new TreeSet<>();
      matches.keySet().forEach(prefix -> lengths.add(prefix.length()));
      prefixLengths = lengths.stream().mapToInt(Integer::intValue).toArray();
      children.values().forEach(Node::freeze);
    }

    /** A longer literal prefix is more specific than any shorter one: look below first. */
    @Nullable Match lookup(List<String> path, int depth, Budget budget) {
      String name = depth < path.size() ? path.get(depth) : "";
      Node child = children.get(name);
      Match below = child == null ? null : child.lookup(path, depth + 1, budget);
      if (below != null) {
        return below;
      }
      Ranked best = null;
      for (int length : prefixLengths) {
        if (length <= name.length()) {
          best = better(best, matches.get(name.substring(0, length)), path, budget);
        }
      }
      return best == null ? null : best.match();
    }

    private static @Nullable Ranked better(
        @Nullable Ranked best,
        @Nullable List<Ranked> candidates,
        List<String> path,
        Budget budget) {
      if (candidates == null) {
        return best;
      }
      for (Ranked candidate : candidates) {
        if ((best != null && best.rank() < candidate.rank()) || !budget.take()) {
          return best;
        }
        if (candidate.match().rule().pattern().matches(path)) {
          return candidate;
        }
      }
      return best;
    }
  }
}
