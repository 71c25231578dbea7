package dev.weir.workflow.infer;

import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.workflow.infer.HintAdvisor.Advice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compresses advice for paths into few rules. Files with the same advice in one directory, whose
 * names share a prefix or suffix, get one pattern. A pattern that would match a file without advice
 * is dropped. A file that a pattern would give the wrong advice gets a literal rule, which is more
 * specific. The real index decides which rule matches a file.
 */
final class RulePatterns {

  /** The fewest files of a pattern; fewer get literal rules. */
  private static final int MIN_FILES = 4;

  private final Map<Advice, List<String>> advised;
  private final List<String> unadvised;

  RulePatterns(Map<Advice, List<String>> advised, List<String> unadvised) {
    this.advised = advised;
    this.unadvised = unadvised;
  }

  List<InferredHint> rules() {
    Map<PathPattern, Advice> patterns = candidates();
    removeMatching(patterns, unadvised);
    HintIndex index = index(patterns);
    Map<PathPattern, Advice> useful = new LinkedHashMap<>();
    Map<PathPattern, Advice> literals = new LinkedHashMap<>();
    advised.forEach(
        (advice, paths) ->
            paths.forEach(
                path -> {
                  Optional<Match> match = index.lookup(path);
                  if (match.map(m -> m.rule().hint()).filter(advice.hint()::equals).isPresent()) {
                    PathPattern pattern = match.orElseThrow().rule().pattern();
                    useful.computeIfAbsent(pattern, patterns::get);
                  } else {
                    literals.put(PathPattern.literal(path), advice);
                  }
                }));
    List<InferredHint> rules = new ArrayList<>();
    useful.forEach((pattern, advice) -> rules.add(inferred(pattern, advice)));
    literals.forEach((pattern, advice) -> rules.add(inferred(pattern, advice)));
    return List.copyOf(rules);
  }

  private Map<PathPattern, Advice> candidates() {
    Map<PathPattern, Advice> candidates = new LinkedHashMap<>();
    advised.forEach(
        (advice, paths) -> {
          Map<String, List<String>> namesByDirectory = new LinkedHashMap<>();
          for (String path : paths) {
            int slash = path.lastIndexOf('/');
            namesByDirectory
                .computeIfAbsent(path.substring(0, slash + 1), k -> new ArrayList<>())
                .add(path.substring(slash + 1));
          }
          namesByDirectory.forEach(
              (directory, names) ->
                  pattern(directory, names)
                      .ifPresent(pattern -> candidates.putIfAbsent(pattern, advice)));
        });
    return candidates;
  }

  private static Optional<PathPattern> pattern(String directory, List<String> names) {
    if (names.size() < MIN_FILES) {
      return Optional.empty();
    }
    String prefix = names.get(0);
    String suffix = names.get(0);
    int shortest = Integer.MAX_VALUE;
    for (String name : names) {
      prefix = prefix.substring(0, commonPrefixLength(prefix, name));
      suffix = suffix.substring(suffix.length() - commonSuffixLength(suffix, name));
      shortest = Math.min(shortest, name.length());
    }
    // "1.fits" and "11.fits" share the prefix "1" and the suffix "1.fits", which must not overlap.
    suffix = suffix.substring(Math.max(0, prefix.length() + suffix.length() - shortest));
    if (prefix.isEmpty() && suffix.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(PathPattern.parse(escape(directory + prefix) + "*" + escape(suffix)));
  }

  private static int commonPrefixLength(String one, String other) {
    int i = 0;
    while (i < one.length() && i < other.length() && one.charAt(i) == other.charAt(i)) {
      i++;
    }
    return i;
  }

  private static int commonSuffixLength(String one, String other) {
    int i = 0;
    while (i < one.length()
        && i < other.length()
        && one.charAt(one.length() - 1 - i) == other.charAt(other.length() - 1 - i)) {
      i++;
    }
    return i;
  }

  private static String escape(String text) {
    return text.replaceAll("[*?{},\\\\]", "\\\\$0");
  }

  private static void removeMatching(Map<PathPattern, Advice> patterns, List<String> unadvised) {
    patterns.keySet().removeIf(pattern -> unadvised.stream().anyMatch(pattern::matches));
  }

  private static HintIndex index(Map<PathPattern, Advice> patterns) {
    List<Rule> rules = new ArrayList<>();
    patterns.forEach((pattern, advice) -> rules.add(new Rule(pattern, advice.hint())));
    return HintIndex.of(List.of(new HintSet("inferred", "inferred", null, rules)));
  }

  private static InferredHint inferred(PathPattern pattern, Advice advice) {
    return new InferredHint(new Rule(pattern, advice.hint()), advice.reason());
  }
}
