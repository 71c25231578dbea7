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
import org.jspecify.annotations.Nullable;

/**
 * Rules with wildcards at the nodes of a trie of path components: each at the node of its literal
 * prefix, and there under the characters that its first component with wildcards begins with. So a
 * look-up tries few patterns, even when there are thousands for one directory. Immutable: a change
 * makes new nodes on the way to what it changes, and shares all others.
 */
final class PatternTrie {
  /**
   * How many patterns of one directory a look-up tries at most; what it has found by then counts.
   * One that begins alike with thousands of others would otherwise cost every block a millisecond
   * and more.
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
    return root.lookup(path, 1, end);
  }

  PatternTrie with(Collection<WildRule> rules) {
    return rules.isEmpty() ? this : new PatternTrie(root.with(List.copyOf(rules), 0));
  }

  /** Without rules that are in it. */
  PatternTrie without(Collection<WildRule> rules) {
    return rules.isEmpty() ? this : new PatternTrie(root.without(List.copyOf(rules), 0));
  }

  /**
   * The rules of a directory that begin with the same characters, in the order in which they win.
   */
  private record Alike(String key, List<WildRule> rules) implements HashTrie.Keyed {

    Alike with(Collection<WildRule> more) {
      List<WildRule> all = new ArrayList<>(rules);
      all.addAll(more);
      all.sort(WildRule.winnerFirst());
      return new Alike(key, List.copyOf(all));
    }

    Alike without(Collection<WildRule> gone) {
      Set<WildRule> absent = new HashSet<>(gone);
      return new Alike(key, rules.stream().filter(rule -> !absent.contains(rule)).toList());
    }

    @Nullable WildRule first(String path, int from, int end) {
      int most = Math.min(rules.size(), MAX_TRIED);
      for (int i = 0; i < most; i++) {
        if (rules.get(i).pattern().matchesRest(path, from, end)) {
          return rules.get(i);
        }
      }
      return null;
    }
  }

  /** A directory that some pattern's literal prefix names or leads through. */
  private static final class Node implements HashTrie.Keyed {
    private final String name;
    private final HashTrie<Node> children;
    private final HashTrie<Alike> alike;

    /** With how many characters its rules begin, each number once, growing. */
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
    @Nullable WildRule lookup(String path, int from, int end) {
      int nameEnd = PathPattern.componentEnd(path, from, end);
      if (from < end && !children.isEmpty()) {
        Node child = children.get(path, from, nameEnd);
        WildRule below = child == null ? null : child.lookup(path, Math.min(nameEnd + 1, end), end);
        if (below != null) {
          return below;
        }
      }
      WildRule best = null;
      for (int length : lengths) {
        if (from + length > nameEnd) {
          break;
        }
        Alike candidates = alike.get(path, from, from + length);
        WildRule found = candidates == null ? null : candidates.first(path, from, end);
        if (found != null && (best == null || WildRule.winnerFirst().compare(found, best) < 0)) {
          best = found;
        }
      }
      return best;
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
      return lengths.stream().sorted(Comparator.naturalOrder()).mapToInt(i -> i).toArray();
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
