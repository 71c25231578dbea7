package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The single paths that have their own set, and the form of such sets. Immutable. */
final class PathRules {
  private static final String BELOW = "/**";

  private final TreeMap<String, String> idsByPath = new TreeMap<>();

  private PathRules() {}

  static PathRules of(HintIndex index) {
    PathRules rules = new PathRules();
    for (SetInfo set : index.sets()) {
      if (SinglePathSets.isOne(set.id())) {
        for (Match match : index.rules(set.id())) {
          rules.idsByPath.put(pathOf(match.pattern()), set.id());
        }
      }
    }
    return rules;
  }

  /** Returns all paths that have their own set, without patterns. */
  List<String> all() {
    return idsByPath.entrySet().stream()
        .filter(path -> SinglePathSets.idFor(path.getKey()).equals(path.getValue()))
        .filter(path -> path.getKey().chars().noneMatch(c -> "*?{}\\".indexOf(c) >= 0))
        .map(Map.Entry::getKey)
        .toList();
  }

  List<String> atOrBelow(String path) {
    List<String> found = new ArrayList<>();
    if (idsByPath.containsKey(path)) {
      found.add(path);
    }
    NavigableMap<String, String> below = idsByPath.subMap(path + "/", true, path + "0", false);
    found.addAll(below.keySet());
    return found;
  }

  /** Returns the rule for a file, or for all files below a directory. */
  static Rule rule(String path, boolean directory, Hint hint) {
    if (path.equals("/")) {
      return new Rule(PathPattern.parse(BELOW), hint);
    }
    String literal = PathPattern.literal(path).toString();
    return new Rule(PathPattern.parse(directory ? literal + BELOW : literal), hint);
  }

  /** Returns a path's set, changed to apply to another path. */
  static HintSet moved(HintSet set, String to) {
    Rule rule = set.rules().get(0);
    boolean directory = rule.pattern().toString().endsWith(BELOW);
    return new HintSet(
        SinglePathSets.idFor(to),
        set.owner(),
        set.expires(),
        List.of(rule(to, directory, rule.hint())));
  }

  /** Returns the path of a pattern that matches one path or all below it; otherwise the pattern. */
  private static String pathOf(String pattern) {
    String path =
        pattern.endsWith(BELOW) ? pattern.substring(0, pattern.length() - BELOW.length()) : pattern;
    if (path.isEmpty()) {
      return "/";
    }
    PathPattern parsed = PathPattern.parse(path);
    return parsed.isLiteral() ? parsed.literalPrefix() : pattern;
  }
}
