package dev.weir.hints;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All hint sets, prepared for looking a path up: exact paths in a hash map, patterns in a trie of
 * path components. Immutable, so any thread may look up at any time without a lock; an empty index
 * costs one comparison.
 *
 * <p>Of several rules that match, one wins, in this order: the rule whose pattern is literal; the
 * more specific pattern as {@link PathPattern#mostSpecificFirst} has it; the set whose id sorts
 * first; the rule written first in its set.
 *
 * <p>A file that still has an unfinished name, {@code NAME._COPYING_} or {@code NAME.weir-ATTEMPT},
 * is looked up by its name to come, unless a literal pattern is for the unfinished one.
 */
public final class HintIndex {
  private final Map<String, Match> exact = new HashMap<>();
  private final PatternTrie patterns;
  private final long version;
  private final int rules;

  private HintIndex(Collection<HintSet> sets, long version) {
    this.version = version;
    List<Match> wild = new ArrayList<>();
    int count = 0;
    for (HintSet set : sets.stream().sorted(Comparator.comparing(HintSet::id)).toList()) {
      for (Rule rule : set.rules()) {
        Match match = new Match(set, rule);
        if (rule.pattern().isLiteral()) {
          exact.putIfAbsent(rule.pattern().literalPrefix(), match);
        } else {
          wild.add(match);
        }
        count++;
      }
    }
    this.rules = count;
    this.patterns = new PatternTrie(wild);
  }

  /** The index that knows nothing, of version 0. */
  public static HintIndex empty() {
    return new HintIndex(List.of(), 0);
  }

  /** An index of version 0. */
  public static HintIndex of(Collection<HintSet> sets) {
    return new HintIndex(sets, 0);
  }

  /**
   * An index of sets read from a store.
   *
   * @param sets the sets, in any order, ids different
   * @param version the version of the store that they were read at, see {@link #version}
   */
  public static HintIndex of(Collection<HintSet> sets, long version) {
    return new HintIndex(sets, version);
  }

  /**
   * The rule that applies to a file.
   *
   * @param path an absolute path in canonical form; for anything else the answer is empty
   */
  public Optional<Match> lookup(String path) {
    if (rules == 0) {
      return Optional.empty();
    }
    Match match = exact.get(path);
    if (match == null) {
      String target = UnfinishedName.target(path);
      match = find(target);
      if (match == null && !target.equals(path)) {
        match = find(path);
      }
    }
    return Optional.ofNullable(match);
  }

  private @Nullable Match find(String path) {
    Match literal = exact.get(path);
    if (literal != null || patterns.isEmpty() || !path.startsWith("/")) {
      return literal;
    }
    return patterns.lookup(PathPattern.split(path));
  }

  /** How many rules there are in all. */
  public int size() {
    return rules;
  }

  /**
   * Which changes of the store are contained: all up to this version, as {@code HintStore.put}
   * returned it.
   */
  public long version() {
    return version;
  }
}
