package dev.weir.hints.index;

import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.UnfinishedName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Indexes all hint sets for lookups by path: exact paths in one hash trie, patterns in another by
 * directory. Immutable, so any thread may look up without a lock. A lookup in an empty index costs
 * one comparison, and one that finds nothing allocates nothing. {@link #with} and {@link #without}
 * share unchanged parts.
 *
 * <p>Of several matching rules one wins, in this order: the rule with a literal pattern; the more
 * specific pattern by {@link PathPattern#mostSpecificFirst}; the set whose id sorts first; the rule
 * written first in its set.
 *
 * <p>A file with an {@linkplain UnfinishedName unfinished name} is looked up by its final name,
 * unless a literal pattern matches the unfinished one.
 *
 * <p>An index is for one file system. Rules for another one are left out.
 */
public final class HintIndex {
  private final String authority;
  private final Contents contents;
  private final long version;

  private HintIndex(String authority, Contents contents, long version) {
    this.authority = authority;
    this.contents = contents;
    this.version = version;
  }

  /** An empty index of version 0 for a file system that rules do not name. */
  public static HintIndex empty() {
    return empty("");
  }

  /**
   * An empty index of version 0.
   *
   * @param authority the file system as rules name it in {@code hdfs://AUTHORITY/}; empty if they
   *     do not name it
   */
  public static HintIndex empty(String authority) {
    return new HintIndex(authority, Contents.EMPTY, 0);
  }

  /** An index of version 0. */
  public static HintIndex of(Collection<HintSet> sets) {
    return of(sets, 0);
  }

  /**
   * An index of sets read from a store.
   *
   * @param sets the sets, in any order, with distinct ids
   * @param version the store's version when they were read, see {@link #version}
   */
  public static HintIndex of(Collection<HintSet> sets, long version) {
    HintIndex index = empty();
    for (HintSet set : sets) {
      index = index.with(set, 0);
    }
    return index.at(version);
  }

  /**
   * A copy with a set, which replaces one of the same id. Takes time proportional to the rules of
   * these two sets only.
   *
   * @param setVersion the store's version at the set's last change; 0 if it is not from a store
   */
  public HintIndex with(HintSet set, long setVersion) {
    return with(set, setVersion, Instant.EPOCH);
  }

  /**
   * A copy with a set and the time of its last change.
   *
   * @param modified the time by the store's clock
   */
  public HintIndex with(HintSet set, long setVersion, Instant modified) {
    SetInfo info = SetInfo.of(set, setVersion, modified);
    return new HintIndex(
        authority, contents.without(set.id()).with(SetRules.of(set, info, authority)), version);
  }

  /** A copy without a set; this index if there is none of that id. */
  public HintIndex without(String id) {
    return contents.sets().get(id) == null
        ? this
        : new HintIndex(authority, contents.without(id), version);
  }

  /** The same rules with another version, see {@link #version}. */
  public HintIndex at(long otherVersion) {
    return new HintIndex(authority, contents, otherVersion);
  }

  /**
   * The rule that applies to a file.
   *
   * @param path an absolute path in canonical form; for others the result is empty
   */
  public Optional<Match> lookup(String path) {
    PatternTable.Outcome outcome = lookup(path, PatternTable.Allowance.FULL);
    if (outcome instanceof ExactPathRules exact) {
      return Optional.of(exact.match());
    }
    return outcome instanceof WildcardRule rule ? Optional.of(rule.match()) : Optional.empty();
  }

  private PatternTable.Outcome lookup(String path, PatternTable.Allowance allowance) {
    if (contents.rules() == 0 || !contents.hintedDirectories().mayHaveRules(path)) {
      return allowance;
    }
    ExactPathRules found = contents.exact().get(path);
    if (found != null) {
      return found;
    }
    String target = UnfinishedName.target(path);
    PatternTable.Outcome outcome = allowance;
    if (target.length() != path.length()) {
      ExactPathRules finished = contents.exact().get(target);
      outcome = finished == null ? contents.lookupWildcard(target, allowance) : finished;
    }
    return outcome instanceof PatternTable.Allowance left
        ? contents.lookupWildcard(path, left)
        : outcome;
  }

  /** The number of rules. */
  public int size() {
    return contents.rules();
  }

  /** An estimate of the memory of all sets in bytes, see {@link SetMemory}. */
  public long bytes() {
    return contents.bytes();
  }

  public int setCount() {
    return contents.sets().size();
  }

  public Optional<SetInfo> set(String id) {
    return Optional.ofNullable(contents.sets().get(id)).map(SetRules::info);
  }

  /** The rules of a set that apply to the file system; empty if there is no such set. */
  public List<Match> rules(String id) {
    SetRules set = contents.sets().get(id);
    return set == null ? List.of() : set.matches();
  }

  /**
   * The first two components of the directories in which a set has rules; an empty text if a rule
   * may match any file. Takes time proportional to the number of rules.
   */
  public Set<String> directories(String id) {
    SetRules set = contents.sets().get(id);
    return set == null ? Set.of() : set.directories();
  }

  /** The properties of all sets, sorted by id. Takes time proportional to their number. */
  public List<SetInfo> sets() {
    List<SetInfo> all = new ArrayList<>(contents.sets().size());
    contents.sets().forEach(set -> all.add(set.info()));
    all.sort(Comparator.comparing(SetInfo::id));
    return all;
  }

  /** The file system of this index; empty if rules do not name it. */
  public String authority() {
    return authority;
  }

  /**
   * The store's version up to which all changes are contained, as returned by {@code
   * HintStore.put}.
   */
  public long version() {
    return version;
  }

  /** The rules in their lookup structures. */
  private record Contents(
      HashTrie<SetRules> sets,
      HashTrie<ExactPathRules> exact,
      PatternTable patterns,
      HintedDirectories hintedDirectories,
      int rules,
      long bytes) {
    static final Contents EMPTY =
        new Contents(
            HashTrie.empty(),
            HashTrie.empty(),
            PatternTable.empty(),
            HintedDirectories.none(),
            0,
            0);

    PatternTable.Outcome lookupWildcard(String path, PatternTable.Allowance allowance) {
      return patterns.isEmpty() || !path.startsWith("/")
          ? allowance
          : patterns.lookup(path, path.length(), allowance);
    }

    Contents with(SetRules set) {
      HashTrie<ExactPathRules> changed = exact;
      for (int i = 0; i < set.paths().size(); i++) {
        ExactPathRules own = set.exact(i);
        @Nullable ExactPathRules present = changed.get(own.key());
        changed = changed.with(present == null ? own : present.with(own));
      }
      return new Contents(
          sets.with(set),
          changed,
          patterns.with(set.wildcards()),
          hintedDirectories.with(set.directories()),
          rules + set.size(),
          bytes + set.info().bytes());
    }

    Contents without(String id) {
      SetRules set = sets.get(id);
      if (set == null) {
        return this;
      }
      HashTrie<ExactPathRules> changed = exact;
      for (String path : set.paths()) {
        ExactPathRules present = changed.get(path);
        if (present != null) {
          ExactPathRules rest = present.without(id);
          changed = rest == null ? changed.without(path) : changed.with(rest);
        }
      }
      return new Contents(
          sets.without(id),
          changed,
          patterns.without(set.wildcards()),
          hintedDirectories.without(set.directories()),
          rules - set.size(),
          bytes - set.info().bytes());
    }
  }
}
