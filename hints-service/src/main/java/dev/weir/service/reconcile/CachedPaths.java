package dev.weir.service.reconcile;

import dev.weir.hints.HintIndex;
import dev.weir.hints.Match;
import dev.weir.hints.PathPattern;
import dev.weir.hints.SetInfo;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has the NameNode cache what hints want cached: the file of a rule for one file, and the files
 * directly in the directory of a rule that ends with {@code /*} or {@code /**}. For one thread.
 */
final class CachedPaths {
  private final Namespace namespace;
  private final Refusals refusals;

  /** What the rules of each set, at a version, want. */
  private Map<SetInfo, Set<String>> wantedBySet = Map.of();

  CachedPaths(Namespace namespace, Refusals refusals) {
    this.namespace = namespace;
    this.refusals = refusals;
  }

  /** Makes the directives those that the rules want. Costs nothing while the rules stay. */
  void reconcile(HintIndex index) throws IOException {
    Map<SetInfo, Set<String>> next = new HashMap<>();
    for (SetInfo set : index.sets()) {
      Set<String> known = wantedBySet.get(set);
      next.put(set, known == null ? wanted(index.rules(set.id())) : known);
    }
    if (!wantedBySet.isEmpty() && union(next).equals(union(wantedBySet))) {
      wantedBySet = next;
      return;
    }
    Set<String> wanted = union(next);
    Set<String> present = namespace.cached();
    if (!present.equals(wanted)) {
      namespace.uncache(without(present, wanted));
      for (String path : without(wanted, present)) {
        try {
          namespace.cache(path);
        } catch (RefusedException e) {
          refusals.note(e);
        }
      }
    }
    wantedBySet = next;
  }

  private static List<String> without(Set<String> some, Set<String> others) {
    return some.stream().filter(path -> !others.contains(path)).sorted().toList();
  }

  private static Set<String> union(Map<SetInfo, Set<String>> sets) {
    Set<String> all = new HashSet<>();
    sets.values().forEach(all::addAll);
    return all;
  }

  private static Set<String> wanted(List<Match> rules) {
    Set<String> paths = new HashSet<>();
    for (Match rule : rules) {
      String path = rule.hint().cache() ? path(rule.pattern()) : null;
      if (path != null) {
        paths.add(path);
      }
    }
    return paths.isEmpty() ? Set.of() : paths;
  }

  /** Null for a pattern that neither one file nor one directory is cached for. */
  private static @Nullable String path(String text) {
    PathPattern pattern = PathPattern.parse(text);
    String prefix = pattern.literalPrefix();
    if (pattern.isLiteral()) {
      return prefix;
    }
    String rest = text.substring(text.lastIndexOf('/'));
    boolean wholeDirectory = rest.equals("/*") || rest.equals("/**");
    PathPattern directory =
        text.lastIndexOf('/') == 0
            ? pattern
            : PathPattern.parse(text.substring(0, text.lastIndexOf('/')));
    return wholeDirectory && directory.isLiteral() ? prefix : null;
  }
}
