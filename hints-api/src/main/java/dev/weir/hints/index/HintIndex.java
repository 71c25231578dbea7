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
import org.jspecify.annotations.Nullable;

/**
 * All hint sets, prepared for looking a path up: exact paths in a hash trie, patterns in another by
 * directory. Immutable, so any thread may look up at any time without a lock; an empty index costs
 * one comparison, a look-up that finds nothing allocates nothing. {@link #with} and {@link
 * #without} share what they do not change.
 *
 * <p>Of several rules that match, one wins, in this order: the rule whose pattern is literal; the
 * more specific pattern as {@link PathPattern#mostSpecificFirst} has it; the set whose id sorts
 * first; the rule written first in its set.
 *
 * <p>A file that still has an unfinished name, {@code NAME._COPYING_} or {@code NAME.weir-ATTEMPT},
 * is looked up by its name to come, unless a literal pattern is for the unfinished one.
 *
 * <p>An index is for one file system. Rules whose pattern names another one are not in it.
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

  /** The index of version 0 that knows nothing, for a file system that no rule names. */
  public static HintIndex empty() {
    return empty("");
  }

  /**
   * The index of version 0 that knows nothing.
   *
   * @param authority names the file system that it is for, as in {@code hdfs://AUTHORITY/}; empty
   *     for one that no rule names
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
   * @param sets the sets, in any order, ids different
   * @param version the version of the store that they were read at, see {@link #version}
   */
  public static HintIndex of(Collection<HintSet> sets, long version) {
    HintIndex index = empty();
    for (HintSet set : sets) {
      index = index.with(set, 0);
    }
    return index.at(version);
  }

  /**
   * The index with a set, instead of the one of the same id if there is one. Costs time in
   * proportion to the rules of the two, not to those of the others.
   *
   * @param setVersion the version of the store at the set's last change; 0 when it is from no store
   */
  public HintIndex with(HintSet set, long setVersion) {
    return with(set, setVersion, Instant.EPOCH);
  }

  /**
   * The same with the time of the set's last change.
   *
   * @param modified when that was, by the store's clock
   */
  public HintIndex with(HintSet set, long setVersion, Instant modified) {
    SetInfo info = SetInfo.of(set, setVersion, modified);
    return new HintIndex(
        authority, contents.without(set.id()).with(SetRules.of(set, info, authority)), version);
  }

  /** The index without a set; the same when there is none of that id. */
  public HintIndex without(String id) {
    return contents.sets().get(id) == null
        ? this
        : new HintIndex(authority, contents.without(id), version);
  }

  /** The same rules at another version, see {@link #version}. */
  public HintIndex at(long otherVersion) {
    return new HintIndex(authority, contents, otherVersion);
  }

  /**
   * The rule that applies to a file.
   *
   * @param path an absolute path in canonical form; for anything else the answer is empty
   */
  public Optional<Match> lookup(String path) {
    if (contents.rules() == 0 || !contents.territory().mayHaveRules(path)) {
      return Optional.empty();
    }
    ExactPathRules found = contents.exact().get(path);
    if (found != null) {
      return Optional.of(found.match());
    }
    String gathered = UnfinishedName.gathered(path);
    if (gathered != null) {
      Optional<Match> match = lookup(gathered);
      if (match.isPresent()) {
        return match;
      }
    }
    int target = UnfinishedName.targetLength(path);
    if (target != path.length()) {
      ExactPathRules finished = contents.exact().get(path, 0, target);
      Optional<Match> match =
          finished == null ? contents.wild(path, target) : Optional.of(finished.match());
      if (match.isPresent()) {
        return match;
      }
    }
    return contents.wild(path, path.length());
  }

  /** How many rules there are in all. */
  public int size() {
    return contents.rules();
  }

  /** How many sets there are. */
  public int setCount() {
    return contents.sets().size();
  }

  /** What is known of a set. */
  public Optional<SetInfo> set(String id) {
    return Optional.ofNullable(contents.sets().get(id)).map(SetRules::info);
  }

  /** The rules of a set that count for the file system; none when there is no such set. */
  public List<Match> rules(String id) {
    SetRules set = contents.sets().get(id);
    return set == null ? List.of() : set.matches();
  }

  /** What is known of each set, sorted by id. Costs time in proportion to their number. */
  public List<SetInfo> sets() {
    List<SetInfo> all = new ArrayList<>(contents.sets().size());
    contents.sets().forEach(set -> all.add(set.info()));
    all.sort(Comparator.comparing(SetInfo::id));
    return all;
  }

  /** The file system that it is for; empty for one that no rule names. */
  public String authority() {
    return authority;
  }

  /**
   * Which changes of the store are contained: all up to this version, as {@code HintStore.put}
   * returned it.
   */
  public long version() {
    return version;
  }

  /** The rules, arranged for finding them. */
  private record Contents(
      HashTrie<SetRules> sets,
      HashTrie<ExactPathRules> exact,
      PatternTable patterns,
      HintedDirectories territory,
      int rules) {
    static final Contents EMPTY =
        new Contents(
            HashTrie.empty(), HashTrie.empty(), PatternTable.empty(), HintedDirectories.none(), 0);

    Optional<Match> wild(String path, int end) {
      if (patterns.isEmpty() || !path.startsWith("/")) {
        return Optional.empty();
      }
      WildcardRule wild = patterns.lookup(path, end);
      return wild == null ? Optional.empty() : Optional.of(wild.match());
    }

    Contents with(SetRules set) {
      HashTrie<ExactPathRules> changed = exact;
      for (int i = 0; i < set.paths().size(); i++) {
        ExactPathRules mine = set.exact(i);
        @Nullable ExactPathRules present = changed.get(mine.key());
        changed = changed.with(present == null ? mine : present.with(mine));
      }
      return new Contents(
          sets.with(set),
          changed,
          patterns.with(set.wild()),
          territory.with(set.places()),
          rules + set.size());
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
          patterns.without(set.wild()),
          territory.without(set.places()),
          rules - set.size());
    }
  }
}
