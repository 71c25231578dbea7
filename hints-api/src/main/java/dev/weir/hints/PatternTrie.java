package dev.weir.hints;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rules with wildcards at the nodes of a trie of path components: each at the node of its literal
 * prefix, and there under the characters that its first component with wildcards begins with. So a
 * look-up tries few patterns, even when there are thousands for one directory. Immutable: a change
 * makes new nodes on the way to what it changes, and shares all others.
 */
final class PatternTrie {
  /**
   * How many patterns a look-up tries at most, in all directories together; what it has found by
   * then counts. One that begins alike with thousands of others would otherwise cost every block a
   * millisecond and more.
   */
  static final int MAX_TRIED = 4096;

  private final Node root;

  private PatternTrie(Node root) {
    this.root = root;
  }

  static PatternTrie empty() {
    return new PatternTrie(Node.empty(""));
  }

  boolean isEmpty() {
    return root.isEmpty();
  }

  /**
   * The rule that wins among those that match; null when none does.
   *
   * @param path an absolute path
   * @param end where the path ends in the text
   */
  @Nullable WildRule lookup(String path, int end) {
    return root.lookup(path, 1, end, Allowance.of(MAX_TRIED)) instanceof WildRule found
        ? found
        : null;
  }

  PatternTrie with(Collection<WildRule> rules) {
    return rules.isEmpty() ? this : new PatternTrie(root.with(List.copyOf(rules), 0));
  }

  /** Without rules that are in it. */
  PatternTrie without(Collection<WildRule> rules) {
    return rules.isEmpty() ? this : new PatternTrie(root.without(List.copyOf(rules), 0));
  }

  /** What looking in a directory came to: the rule that wins, or how many may still be tried. */
  sealed interface Outcome permits WildRule, Allowance {}

  /**
   * How many patterns may still be tried. There is one object for each number, so that a look-up
   * that finds nothing allocates nothing.
   */
  record Allowance(int left) implements Outcome {
    private static final List<Allowance> ALL =
        IntStream.rangeClosed(0, MAX_TRIED).mapToObj(Allowance::new).toList();

    static Allowance of(int left) {
      return ALL.get(left);
    }
  }

  /**
   * The rules of a directory that begin with the same characters, in the order in which they win.
   */
  private record Alike(String key, List<WildRule> rules) implements HashTrie.Keyed {

    Alike with(Collection<WildRule> more) {
      List<WildRule> all = new ArrayList<>(rules);
      all.addAll(more);
      all.sort(WildRule.WINNER_FIRST);
      return new Alike(key, List.copyOf(all));
    }

    Alike without(Collection<WildRule> gone) {
      Set<WildRule> absent = new HashSet<>(gone);
      return new Alike(key, rules.stream().filter(rule -> !absent.contains(rule)).toList());
    }

    /** Which is the first that matches; -1 when none of the first so many does. */
    int first(String path, int from, int end, int most) {
      int tried = Math.min(rules.size(), most);
      for (int i = 0; i < tried; i++) {
        if (rules.get(i).pattern().matchesRest(path, from, end)) {
          return i;
        }
      }
      return -1;
    }
  }

  /** A directory that some pattern's literal prefix names or leads through. */
  private static final class Node implements HashTrie.Keyed {
    private final String name;
    private final HashTrie<Node> children;
    private final HashTrie<Alike> alike;

    /** With how many characters its rules begin, each number once, shrinking. */
    private final int[] lengths;

    Node(String name, HashTrie<Node> children, HashTrie<Alike> alike, int[] lengths) {
      this.name = name;
      this.children = children;
      this.alike = alike;
      this.lengths = lengths;
    }

    @Override
    public String key() {
      return name;
    }

    static Node empty(String name) {
      return new Node(name, HashTrie.empty(), HashTrie.empty(), new int[0]);
    }

    boolean isEmpty() {
      return children.isEmpty() && alike.isEmpty();
    }

    /** A longer literal prefix is more specific than any shorter one: look below first. */
    Outcome lookup(String path, int from, int end, Allowance allowance) {
      int nameEnd = PathPattern.componentEnd(path, from, end);
      Allowance left = allowance;
      if (from < end && !children.isEmpty()) {
        Node child = children.get(path, from, nameEnd);
        if (child != null) {
          Outcome below = child.lookup(path, Math.min(nameEnd + 1, end), end, left);
          if (!(below instanceof Allowance rest)) {
            return below;
          }
          left = rest;
        }
      }
      return here(path, from, end, left);
    }

    private Outcome here(String path, int from, int end, Allowance allowance) {
      int nameEnd = PathPattern.componentEnd(path, from, end);
      int left = allowance.left();
      WildRule best = null;
      for (int length : lengths) {
        Alike candidates = from + length > nameEnd ? null : alike.get(path, from, from + length);
        if (candidates == null) {
          continue;
        }
        int at = candidates.first(path, from, end, left);
        left -= at < 0 ? Math.min(left, candidates.rules().size()) : at + 1;
        if (at >= 0) {
          WildRule found = candidates.rules().get(at);
          best = best == null || WildRule.WINNER_FIRST.compare(found, best) < 0 ? found : best;
        }
      }
      return best == null ? Allowance.of(left) : best;
    }

    Node with(List<WildRule> rules, int depth) {
      HashTrie<Node> below = children;
      for (Map.Entry<String, List<WildRule>> entry : byChild(rules, depth).entrySet()) {
        Node child = below.get(entry.getKey());
        Node changed = child == null ? empty(entry.getKey()) : child;
        below = below.with(changed.with(entry.getValue(), depth + 1));
      }
      HashTrie<Alike> here = alike;
      for (Map.Entry<String, List<WildRule>> entry : byBeginning(rules, depth).entrySet()) {
        Alike present = here.get(entry.getKey());
        Alike changed = present == null ? new Alike(entry.getKey(), List.of()) : present;
        here = here.with(changed.with(entry.getValue()));
      }
      return of(below, here);
    }

    Node without(List<WildRule> rules, int depth) {
      HashTrie<Node> below = children;
      for (Map.Entry<String, List<WildRule>> entry : byChild(rules, depth).entrySet()) {
        Node child = below.get(entry.getKey());
        Node changed = child == null ? null : child.without(entry.getValue(), depth + 1);
        if (changed != null) {
          below = changed.isEmpty() ? below.without(changed.key()) : below.with(changed);
        }
      }
      HashTrie<Alike> here = alike;
      for (Map.Entry<String, List<WildRule>> entry : byBeginning(rules, depth).entrySet()) {
        Alike present = here.get(entry.getKey());
        Alike changed = present == null ? null : present.without(entry.getValue());
        if (changed != null) {
          here = changed.rules().isEmpty() ? here.without(changed.key()) : here.with(changed);
        }
      }
      return of(below, here);
    }

    private Node of(HashTrie<Node> below, HashTrie<Alike> here) {
      return new Node(name, below, here, here == alike ? lengths : lengths(here));
    }

    private static int[] lengths(HashTrie<Alike> alike) {
      Set<Integer> lengths = new HashSet<>();
      alike.forEach(one -> lengths.add(one.key().length()));
      return lengths.stream().sorted(Comparator.reverseOrder()).mapToInt(i -> i).toArray();
    }

    private static Map<String, List<WildRule>> byChild(List<WildRule> rules, int depth) {
      Map<String, List<WildRule>> grouped = new HashMap<>();
      for (WildRule rule : rules) {
        if (rule.pattern().literalDepth() > depth) {
          String name = rule.pattern().literalComponent(depth);
          grouped.computeIfAbsent(name, unused -> new ArrayList<>()).add(rule);
        }
      }
      return grouped;
    }

    private static Map<String, List<WildRule>> byBeginning(List<WildRule> rules, int depth) {
      Map<String, List<WildRule>> grouped = new TreeMap<>();
      for (WildRule rule : rules) {
        if (rule.pattern().literalDepth() == depth) {
          String beginning = rule.pattern().firstWildcardPrefix();
          grouped.computeIfAbsent(beginning, unused -> new ArrayList<>()).add(rule);
        }
      }
      return grouped;
    }
  }
}
