package dev.weir.hints.index;

import dev.weir.hints.PathPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Rules with wildcards, by the directory that is the literal prefix of their pattern. A lookup
 * visits those ancestors of a file at whose depth some rule is. So it costs the same with a million
 * rules as with a few. Immutable; a change shares unchanged parts.
 */
final class PatternTable {
  /**
   * The most patterns that one lookup tries in all directories. After that, the best match so far
   * applies. Without a limit, thousands of patterns with the same start would cost each block more
   * than a millisecond.
   */
  static final int MAX_TRIED = 128;

  private static final PatternTable EMPTY = new PatternTable(HashTrie.empty(), new int[0]);

  private final HashTrie<DirectoryRules> directories;

  /** The number of directories with rules at each depth; no longer than needed. */
  private final int[] depths;

  private PatternTable(HashTrie<DirectoryRules> directories, int[] depths) {
    this.directories = directories;
    this.depths = depths;
  }

  static PatternTable empty() {
    return EMPTY;
  }

  boolean isEmpty() {
    return directories.isEmpty();
  }

  /**
   * The best matching rule, or how many patterns may still be tried. The table must not be empty.
   *
   * @param path an absolute path
   * @param end the end of the path in the text
   */
  Outcome lookup(String path, int end, Allowance allowance) {
    return lookup(path, 0, 0, 0, end, allowance);
  }

  /**
   * Looks up a directory after the directories below it, because a longer literal prefix is more
   * specific.
   *
   * @param at the end of the directory in the path; 0 for the root
   * @param hash of the characters up to there
   */
  private Outcome lookup(String path, int at, int hash, int depth, int end, Allowance first) {
    Outcome below = first;
    if (at < end && depth + 1 < depths.length) {
      int next = PathPattern.componentEnd(path, at + 1, end);
      below = lookup(path, next, HashTrie.hash(hash, path, at, next), depth + 1, end, first);
    }
    if (depths[depth] == 0 || !(below instanceof Allowance allowance)) {
      return below;
    }
    DirectoryRules rules = directories.get(path, 0, at, hash);
    return rules == null ? below : rules.lookup(path, Math.min(at + 1, end), end, allowance);
  }

  PatternTable with(Collection<WildcardRule> rules) {
    PatternTable changed = this;
    for (Map.Entry<String, List<WildcardRule>> entry : byDirectory(rules).entrySet()) {
      changed = changed.with(changed.rules(entry.getKey()).with(entry.getValue()));
    }
    return changed;
  }

  /** A copy without some rules, which must be present. */
  PatternTable without(Collection<WildcardRule> rules) {
    PatternTable changed = this;
    for (Map.Entry<String, List<WildcardRule>> entry : byDirectory(rules).entrySet()) {
      changed = changed.with(changed.rules(entry.getKey()).without(entry.getValue()));
    }
    return changed;
  }

  private DirectoryRules rules(String directory) {
    DirectoryRules present = directories.get(directory);
    return present == null ? DirectoryRules.empty(directory) : present;
  }

  private PatternTable with(DirectoryRules rules) {
    HashTrie<DirectoryRules> changed =
        rules.isEmpty() ? directories.without(rules.key()) : directories.with(rules);
    int growth = changed.size() - directories.size();
    if (growth == 0) {
      return new PatternTable(changed, depths);
    }
    int depth = Math.toIntExact(rules.key().chars().filter(c -> c == '/').count());
    int[] counts = Arrays.copyOf(depths, Math.max(depths.length, depth + 1));
    counts[depth] += growth;
    int used = counts.length;
    while (used > 0 && counts[used - 1] == 0) {
      used--;
    }
    return new PatternTable(changed, Arrays.copyOf(counts, used));
  }

  private static Map<String, List<WildcardRule>> byDirectory(Collection<WildcardRule> rules) {
    Map<String, List<WildcardRule>> grouped = new HashMap<>();
    for (WildcardRule rule : rules) {
      String prefix = rule.pattern().literalPrefix();
      String directory = prefix.equals("/") ? "" : prefix;
      grouped.computeIfAbsent(directory, unused -> new ArrayList<>()).add(rule);
    }
    return grouped;
  }

  /** The result of a lookup: the best rule, or how many patterns may still be tried. */
  sealed interface Outcome permits ExactPathRules, WildcardRule, Allowance {}

  /**
   * How many patterns may still be tried. There is one object per number, so that a lookup that
   * finds nothing allocates nothing.
   */
  record Allowance(int left) implements Outcome {
    private static final List<Allowance> ALL =
        IntStream.rangeClosed(0, MAX_TRIED).mapToObj(Allowance::new).toList();

    /** At the start of a lookup. */
    static final Allowance FULL = of(MAX_TRIED);

    static Allowance of(int left) {
      return ALL.get(left);
    }
  }
}
