package dev.weir.hints.index;

import dev.weir.hints.PathPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The rules with wildcards whose literal prefix is one directory. They are indexed by the literal
 * prefix of their first component with wildcards, so that a lookup tries few of thousands of rules.
 * Immutable.
 */
final class DirectoryRules implements HashTrie.Keyed {
  private final String directory;
  private final HashTrie<PrefixRules> byPrefix;

  /** The distinct lengths of the prefixes, descending. */
  private final int[] lengths;

  private DirectoryRules(String directory, HashTrie<PrefixRules> byPrefix, int[] lengths) {
    this.directory = directory;
    this.byPrefix = byPrefix;
    this.lengths = lengths;
  }

  /**
   * A directory without rules.
   *
   * @param directory its path; empty for the root
   */
  static DirectoryRules empty(String directory) {
    return new DirectoryRules(directory, HashTrie.empty(), new int[0]);
  }

  @Override
  public String key() {
    return directory;
  }

  boolean isEmpty() {
    return byPrefix.isEmpty();
  }

  /**
   * The best matching rule, or how many patterns may still be tried.
   *
   * @param path an absolute path in the directory
   * @param from the start of what follows the directory
   * @param end the end of the path in the text
   */
  PatternTable.Outcome lookup(String path, int from, int end, PatternTable.Allowance allowance) {
    int nameEnd = PathPattern.componentEnd(path, from, end);
    int left = allowance.left();
    WildcardRule best = null;
    for (int length : lengths) {
      PrefixRules candidates =
          from + length > nameEnd ? null : byPrefix.get(path, from, from + length);
      if (candidates == null) {
        continue;
      }
      int index = candidates.indexOfFirstMatch(path, from, end, left);
      left -= index < 0 ? Math.min(left, candidates.rules().size()) : index + 1;
      if (index >= 0) {
        WildcardRule found = candidates.rules().get(index);
        best = best == null || WildcardRule.BY_PRECEDENCE.compare(found, best) < 0 ? found : best;
      }
    }
    return best == null ? PatternTable.Allowance.of(left) : best;
  }

  DirectoryRules with(Collection<WildcardRule> rules) {
    return changed(rules, PrefixRules::with);
  }

  DirectoryRules without(Collection<WildcardRule> rules) {
    return changed(rules, PrefixRules::without);
  }

  private DirectoryRules changed(
      Collection<WildcardRule> rules,
      BiFunction<PrefixRules, Collection<WildcardRule>, PrefixRules> change) {
    HashTrie<PrefixRules> here = byPrefix;
    for (Map.Entry<String, List<WildcardRule>> entry : groupByPrefix(rules).entrySet()) {
      PrefixRules present = here.get(entry.getKey());
      PrefixRules before = present == null ? new PrefixRules(entry.getKey(), List.of()) : present;
      PrefixRules after = change.apply(before, entry.getValue());
      here = after.rules().isEmpty() ? here.without(after.key()) : here.with(after);
    }
    return new DirectoryRules(directory, here, lengths(here));
  }

  private static int[] lengths(HashTrie<PrefixRules> byPrefix) {
    Set<Integer> lengths = new HashSet<>();
    byPrefix.forEach(one -> lengths.add(one.key().length()));
    return lengths.stream().sorted(Comparator.reverseOrder()).mapToInt(i -> i).toArray();
  }

  private static Map<String, List<WildcardRule>> groupByPrefix(Collection<WildcardRule> rules) {
    Map<String, List<WildcardRule>> grouped = new HashMap<>();
    for (WildcardRule rule : rules) {
      String prefix = rule.pattern().firstWildcardPrefix();
      grouped.computeIfAbsent(prefix, unused -> new ArrayList<>()).add(rule);
    }
    return grouped;
  }

  /** Rules with the same literal prefix of the first wildcard component, by precedence. */
  private record PrefixRules(String key, List<WildcardRule> rules) implements HashTrie.Keyed {

    PrefixRules with(Collection<WildcardRule> added) {
      List<WildcardRule> all = new ArrayList<>(rules);
      all.addAll(added);
      all.sort(WildcardRule.BY_PRECEDENCE);
      return new PrefixRules(key, List.copyOf(all));
    }

    PrefixRules without(Collection<WildcardRule> removed) {
      Set<WildcardRule> excluded = new HashSet<>(removed);
      return new PrefixRules(key, rules.stream().filter(rule -> !excluded.contains(rule)).toList());
    }

    /** The index of the first matching rule among the first {@code limit}; -1 if none matches. */
    int indexOfFirstMatch(String path, int from, int end, int limit) {
      int tried = Math.min(rules.size(), limit);
      for (int i = 0; i < tried; i++) {
        if (rules.get(i).pattern().matchesRest(path, from, end)) {
          return i;
        }
      }
      return -1;
    }
  }
}
