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
 * characters at the start of their first component with wildcards, so that a lookup tries few of
 * thousands of rules. Immutable.
 */
final class DirectoryRules implements HashTrie.Keyed {
  private final String directory;
  private final HashTrie<Alike> alike;

  /** The distinct lengths of these literal starts, descending. */
  private final int[] lengths;

  private DirectoryRules(String directory, HashTrie<Alike> alike, int[] lengths) {
    this.directory = directory;
    this.alike = alike;
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
    return alike.isEmpty();
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
      Alike candidates = from + length > nameEnd ? null : alike.get(path, from, from + length);
      if (candidates == null) {
        continue;
      }
      int at = candidates.first(path, from, end, left);
      left -= at < 0 ? Math.min(left, candidates.rules().size()) : at + 1;
      if (at >= 0) {
        WildcardRule found = candidates.rules().get(at);
        best = best == null || WildcardRule.WINNER_FIRST.compare(found, best) < 0 ? found : best;
      }
    }
    return best == null ? PatternTable.Allowance.of(left) : best;
  }

  /** A copy with more rules of this directory. */
  DirectoryRules with(Collection<WildcardRule> rules) {
    return changed(rules, Alike::with);
  }

  /** A copy without some rules of this directory. */
  DirectoryRules without(Collection<WildcardRule> rules) {
    return changed(rules, Alike::without);
  }

  private DirectoryRules changed(
      Collection<WildcardRule> rules, BiFunction<Alike, Collection<WildcardRule>, Alike> change) {
    HashTrie<Alike> here = alike;
    for (Map.Entry<String, List<WildcardRule>> entry : byBeginning(rules).entrySet()) {
      Alike present = here.get(entry.getKey());
      Alike before = present == null ? new Alike(entry.getKey(), List.of()) : present;
      Alike after = change.apply(before, entry.getValue());
      here = after.rules().isEmpty() ? here.without(after.key()) : here.with(after);
    }
    return new DirectoryRules(directory, here, lengths(here));
  }

  private static int[] lengths(HashTrie<Alike> alike) {
    Set<Integer> lengths = new HashSet<>();
    alike.forEach(one -> lengths.add(one.key().length()));
    return lengths.stream().sorted(Comparator.reverseOrder()).mapToInt(i -> i).toArray();
  }

  private static Map<String, List<WildcardRule>> byBeginning(Collection<WildcardRule> rules) {
    Map<String, List<WildcardRule>> grouped = new HashMap<>();
    for (WildcardRule rule : rules) {
      String beginning = rule.pattern().firstWildcardPrefix();
      grouped.computeIfAbsent(beginning, unused -> new ArrayList<>()).add(rule);
    }
    return grouped;
  }

  /** Rules with the same literal start, in the order of precedence. */
  private record Alike(String key, List<WildcardRule> rules) implements HashTrie.Keyed {

    Alike with(Collection<WildcardRule> more) {
      List<WildcardRule> all = new ArrayList<>(rules);
      all.addAll(more);
      all.sort(WildcardRule.WINNER_FIRST);
      return new Alike(key, List.copyOf(all));
    }

    Alike without(Collection<WildcardRule> gone) {
      Set<WildcardRule> absent = new HashSet<>(gone);
      return new Alike(key, rules.stream().filter(rule -> !absent.contains(rule)).toList());
    }

    /** The index of the first matching rule among the first {@code most}; -1 if none matches. */
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
}
