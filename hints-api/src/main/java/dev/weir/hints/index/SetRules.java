package dev.weir.hints.index;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of an index that belongs to one set: rules for exact paths without parsed patterns,
 * which take ten times the memory of the path, and rules with wildcards. Immutable.
 *
 * @param paths the exact paths; of two rules for one path the first counts
 * @param hints the hint of each path; equal hints are one object
 * @param patterns the pattern of a path where it differs from the path
 * @param wildcards the rules with wildcards, in the order written
 */
record SetRules(
    SetInfo info,
    List<String> paths,
    List<Hint> hints,
    Map<String, String> patterns,
    List<WildcardRule> wildcards)
    implements HashTrie.Keyed {

  /**
   * The rules that apply to a file system.
   *
   * @param authority the file system; rules for others are left out
   */
  static SetRules of(HintSet set, SetInfo info, String authority) {
    Map<Hint, Hint> equal = new HashMap<>();
    Map<String, Hint> exact = new HashMap<>();
    Map<String, String> patterns = new HashMap<>();
    List<String> paths = new ArrayList<>();
    List<WildcardRule> wildcards = new ArrayList<>();
    for (Rule rule : set.rules()) {
      PathPattern pattern = rule.pattern();
      if (!pattern.authority().map(authority::equals).orElse(true)) {
        continue;
      }
      Hint hint = equal.computeIfAbsent(rule.hint(), same -> same);
      if (!pattern.isLiteral()) {
        wildcards.add(new WildcardRule(pattern, hint, info, wildcards.size()));
        continue;
      }
      String path = pattern.literalPrefix();
      if (exact.putIfAbsent(path, hint) == null) {
        paths.add(path);
        if (!pattern.toString().equals(path)) {
          patterns.put(path, pattern.toString());
        }
      }
    }
    return new SetRules(
        info,
        List.copyOf(paths),
        paths.stream().map(exact::get).toList(),
        Map.copyOf(patterns),
        List.copyOf(wildcards));
  }

  @Override
  public String key() {
    return info.id();
  }

  List<Match> matches() {
    List<Match> all = new ArrayList<>(size());
    for (int i = 0; i < paths.size(); i++) {
      all.add(exact(i).match());
    }
    wildcards.forEach(rule -> all.add(rule.match()));
    return all;
  }

  ExactPathRules exact(int i) {
    String path = paths.get(i);
    return ExactPathRules.of(path, patterns.getOrDefault(path, path), info, hints.get(i));
  }

  Set<String> directories() {
    List<String> prefixes = new ArrayList<>(paths);
    wildcards.forEach(rule -> prefixes.add(rule.pattern().literalPrefix()));
    return HintedDirectories.directoriesOf(prefixes);
  }

  int size() {
    return paths.size() + wildcards.size();
  }
}
