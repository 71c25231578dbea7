package dev.weir.hints.index;

import dev.weir.hints.PathPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rules with wildcards, by the directory that is the literal prefix of their pattern. A look-up
 * asks for each directory on the way to a file, but only at depths at which any rule's is, so that
 * a million rules cost it no more than some. Immutable: a change shares what it does not touch.
 */
final class PatternTable {
  /**
   * How many patterns a look-up tries at most, in all directories together; what it has found by
   * then counts. One that begins alike with thousands of others would otherwise cost every block a
   * millisecond and more.
   */
  static final int MAX_TRIED = 4096;

  private static final PatternTable EMPTY = new PatternTable(HashTrie.empty(), new int[0]);

  private final HashTrie<DirectoryRules> directories;

  /** How many directories of each depth have rules; no longer than the deepest one needs. */
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
   * The rule that wins among those that match; null when none does.
   *
   * @param path an absolute path
   * @param end where the path ends in the text
   */
  @Nullable WildcardRule lookup(String path, int end) {
    return !isEmpty() && lookup(path, 0, 0, 0, end) instanceof WildcardRule found ? found : null;
  }

  /**
   * Asks a directory and those below it; a longer literal prefix is more specific than any shorter
   * one, so those first.
   *
   * @param at where the directory ends in the path; 0 for the root
   * @param hash of the characters up to there
   */
  private Outcome lookup(String path, int at, int hash, int depth, int end) {
    Outcome below = Allowance.of(MAX_TRIED);
    if (at < end && depth + 1 < depths.length) {
      int next = PathPattern.componentEnd(path, at + 1, end);
      below = lookup(path, next, HashTrie.hash(hash, path, at, next), depth + 1, end);
    }
    if (depths[depth] == 0 || !(below instanceof Allowance allowance)) {
      return below;
    }
    DirectoryRules here = directories.get(path, 0, at, hash);
    return here == null ? below : here.lookup(path, Math.min(at + 1, end), end, allowance);
  }

  PatternTable with(Collection<WildcardRule> rules) {
    PatternTable changed = this;
    for (Map.Entry<String, List<WildcardRule>> entry : byDirectory(rules).entrySet()) {
      changed = changed.with(changed.rules(entry.getKey()).with(entry.getValue()));
    }
    return changed;
  }

  /** Without rules that are in it. */
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
    int grown = changed.size() - directories.size();
    if (grown == 0) {
      return new PatternTable(changed, depths);
    }
    int depth = Math.toIntExact(rules.key().chars().filter(c -> c == '/').count());
    int[] counts = Arrays.copyOf(depths, Math.max(depths.length, depth + 1));
    counts[depth] += grown;
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

  /** What looking in a directory came to: the rule that wins, or how many may still be tried. */
  sealed interface Outcome permits WildcardRule, Allowance {}

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
}
