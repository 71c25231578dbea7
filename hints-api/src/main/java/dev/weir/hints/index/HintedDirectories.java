package dev.weir.hints.index;

import dev.weir.hints.PathPattern;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Where in a file system there are any rules at all: the first two directories of their paths. Most
 * files of a big cluster are where nobody has ever hinted anything, and for those a look-up ends
 * here, after their first directories. Says yes rather too often: it never denies a rule.
 * Immutable.
 */
final class HintedDirectories {
  private static final int DEPTH = 2;

  private static final HintedDirectories NONE = new HintedDirectories(HashTrie.empty(), 0, 0);

  private final HashTrie<Place> places;

  /** In how many sets there are rules that may be for any file. */
  private final int everywhere;

  /** How many places have one component only. */
  private final int shallow;

  private HintedDirectories(HashTrie<Place> places, int everywhere, int shallow) {
    this.places = places;
    this.everywhere = everywhere;
    this.shallow = shallow;
  }

  static HintedDirectories none() {
    return NONE;
  }

  /**
   * The place of a rule.
   *
   * @param literalPrefix the components before the first with wildcards, as {@link
   *     PathPattern#literalPrefix} gives them
   * @return its first two components or fewer; empty when it has none
   */
  static String placeOf(String literalPrefix) {
    int end = 0;
    for (int depth = 0; depth < DEPTH && end < literalPrefix.length(); depth++) {
      end = PathPattern.componentEnd(literalPrefix, end + 1, literalPrefix.length());
    }
    return end == 1 ? "" : literalPrefix.substring(0, end);
  }

  /** The places of a set's rules, each once. */
  static Set<String> placesOf(Collection<String> literalPrefixes) {
    Set<String> places = new HashSet<>();
    literalPrefixes.forEach(prefix -> places.add(placeOf(prefix)));
    return places;
  }

  /**
   * Whether any rule may be for a file.
   *
   * @param path an absolute path
   */
  boolean mayHaveRules(String path) {
    if (everywhere > 0) {
      return true;
    }
    int length = path.length();
    int end = 0;
    int hash = 0;
    for (int depth = 1; depth <= DEPTH; depth++) {
      int begin = end + 1;
      int next = PathPattern.componentEnd(path, begin, length);
      // The name itself may be unfinished, and a hidden directory that of a gather: either may
      // stand for a file of another name.
      if (next >= length || path.charAt(begin) == '.') {
        return true;
      }
      hash = HashTrie.hash(hash, path, end, next);
      end = next;
      if ((depth == DEPTH || shallow > 0) && places.get(path, 0, end, hash) != null) {
        return true;
      }
    }
    return false;
  }

  /** With one more set that has rules in these places. */
  HintedDirectories with(Set<String> more) {
    return changed(more, 1);
  }

  /** Without a set that has rules in these places. */
  HintedDirectories without(Set<String> gone) {
    return changed(gone, -1);
  }

  private HintedDirectories changed(Set<String> where, int difference) {
    HashTrie<Place> changed = places;
    int nowEverywhere = everywhere;
    int nowShallow = shallow;
    for (String path : where) {
      if (path.isEmpty()) {
        nowEverywhere += difference;
        continue;
      }
      Place present = changed.get(path);
      int sets = (present == null ? 0 : present.sets()) + difference;
      changed = sets == 0 ? changed.without(path) : changed.with(new Place(path, sets));
      if (path.indexOf('/', 1) < 0) {
        nowShallow += difference;
      }
    }
    return new HintedDirectories(changed, nowEverywhere, nowShallow);
  }

  /**
   * @param key its path
   * @param sets how many sets have rules there
   */
  private record Place(String key, int sets) implements HashTrie.Keyed {}
}
