package dev.weir.service.reconcile;

import dev.weir.hints.PathPattern;
import dev.weir.hints.index.Match;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of one set ask to be cached, and the files that their patterns match. Not
 * thread-safe.
 */
final class CacheRequest {
  /** Files, and directories that stand for the files directly in them. */
  private final Set<String> paths = new HashSet<>();

  private final List<PathPattern> patterns = new ArrayList<>();
  private final TreeSet<String> matched = new TreeSet<>();

  private CacheRequest() {}

  static CacheRequest of(List<Match> rules) {
    CacheRequest request = new CacheRequest();
    for (Match rule : rules) {
      if (rule.hint().cache()) {
        PathPattern pattern = PathPattern.parse(rule.pattern());
        String path = path(pattern, rule.pattern());
        if (path == null) {
          request.patterns.add(pattern);
        } else {
          request.paths.add(path);
        }
      }
    }
    return request;
  }

  boolean isEmpty() {
    return paths.isEmpty() && patterns.isEmpty();
  }

  Set<String> prefixes() {
    Set<String> prefixes = new TreeSet<>();
    patterns.forEach(pattern -> prefixes.add(pattern.literalPrefix()));
    return prefixes;
  }

  boolean matches(String path) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(path));
  }

  boolean mayMatchBelow(String path) {
    return patterns.stream()
        .map(PathPattern::literalPrefix)
        .anyMatch(prefix -> isAtOrBelow(prefix, path) || isAtOrBelow(path, prefix));
  }

  /** Adds a file unless the limit is reached. Returns whether the file is included. */
  boolean add(String path, int limit) {
    if (matched.size() < limit) {
      matched.add(path);
    }
    return matched.contains(path);
  }

  Set<String> removeAtOrBelow(String path) {
    Set<String> removed = new TreeSet<>();
    if (matched.remove(path)) {
      removed.add(path);
    }
    // Names such as "/a-b" and "/a.b" sort between "/a" and "/a/...".
    NavigableSet<String> below = matched.subSet(path + "/", true, path + "0", false);
    removed.addAll(below);
    below.clear();
    return removed;
  }

  void addTo(Set<String> all) {
    all.addAll(paths);
    all.addAll(matched);
  }

  private static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || other.equals("/") || path.startsWith(other + "/");
  }

  /** Returns null for a pattern that stands for neither one file nor one directory. */
  private static @Nullable String path(PathPattern pattern, String text) {
    String prefix = pattern.literalPrefix();
    if (pattern.isLiteral()) {
      return prefix;
    }
    int slash = text.lastIndexOf('/');
    String rest = text.substring(slash);
    boolean wholeDirectory = rest.equals("/*") || rest.equals("/**");
    PathPattern directory = slash == 0 ? pattern : PathPattern.parse(text.substring(0, slash));
    return wholeDirectory && directory.isLiteral() ? prefix : null;
  }
}
