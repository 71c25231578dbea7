package dev.weir.hints.index;

import dev.weir.hints.PathPattern;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The directories that contain any rules: the first two components of their paths. Most files of a
 * large cluster are in directories without rules, and their lookup ends here. May contain too many
 * directories, but never too few. Immutable.
 */
final class HintedDirectories {
  private static final int DEPTH = 2;

  private static final HintedDirectories NONE = new HintedDirectories(HashTrie.empty(), 0, 0);

  private final HashTrie<Directory> directories;

  /** The number of sets with rules that may match any file. */
  private final int unrestricted;

  /** The number of directories with one component only. */
  private final int shallow;

  private HintedDirectories(HashTrie<Directory> directories, int unrestricted, int shallow) {
    this.directories = directories;
    this.unrestricted = unrestricted;
    this.shallow = shallow;
  }

  static HintedDirectories none() {
    return NONE;
  }

  /**
   * The directory of a rule.
   *
   * @param literalPrefix as returned by {@link PathPattern#literalPrefix}
   * @return its first two components or fewer; empty if there is none
   */
  static String directoryOf(String literalPrefix) {
    int end = 0;
    for (int depth = 0; depth < DEPTH && end < literalPrefix.length(); depth++) {
      end = PathPattern.componentEnd(literalPrefix, end + 1, literalPrefix.length());
    }
    return end == 1 ? "" : literalPrefix.substring(0, end);
  }

  /** The distinct directories of a set's rules. */
  static Set<String> directoriesOf(Collection<String> literalPrefixes) {
    Set<String> directories = new HashSet<>();
    literalPrefixes.forEach(prefix -> directories.add(directoryOf(prefix)));
    return directories;
  }

  /**
   * Whether any rule may match a file.
   *
   * @param path an absolute path
   */
  boolean mayHaveRules(String path) {
    if (unrestricted > 0) {
      return true;
    }
    int length = path.length();
    int end = 0;
    int hash = 0;
    for (int depth = 1; depth <= DEPTH; depth++) {
      int begin = end + 1;
      int next = PathPattern.componentEnd(path, begin, length);
      // The component may be an unfinished name, or a directory of a gather or a committer. The
      // rules for the final name apply, so they must be looked up.
      if (next >= length || path.charAt(begin) == '.' || path.charAt(begin) == '_') {
        return true;
      }
      hash = HashTrie.hash(hash, path, end, next);
      end = next;
      if ((depth == DEPTH || shallow > 0) && directories.get(path, 0, end, hash) != null) {
        return true;
      }
    }
    return false;
  }

  /** A copy with another set's directories. */
  HintedDirectories with(Set<String> added) {
    return changed(added, 1);
  }

  /** A copy without a set's directories. */
  HintedDirectories without(Set<String> removed) {
    return changed(removed, -1);
  }

  private HintedDirectories changed(Set<String> paths, int difference) {
    HashTrie<Directory> changed = directories;
    int newUnrestricted = unrestricted;
    int newShallow = shallow;
    for (String path : paths) {
      if (path.isEmpty()) {
        newUnrestricted += difference;
        continue;
      }
      Directory present = changed.get(path);
      int sets = (present == null ? 0 : present.sets()) + difference;
      changed = sets == 0 ? changed.without(path) : changed.with(new Directory(path, sets));
      if (path.indexOf('/', 1) < 0) {
        newShallow += difference;
      }
    }
    return new HintedDirectories(changed, newUnrestricted, newShallow);
  }

  /**
   * @param key the path
   * @param sets the number of sets with rules there
   */
  private record Directory(String key, int sets) implements HashTrie.Keyed {}
}
