package dev.weir.hints;

import java.util.Comparator;

/**
 * A rule with wildcards, in an index.
 *
 * @param order its place among the rules of its set
 */
record WildRule(PathPattern pattern, Hint hint, SetInfo set, int order)
    implements PatternTable.Outcome {

  /** Which of several rules that match wins. */
  static final Comparator<WildRule> WINNER_FIRST =
      Comparator.comparing(WildRule::pattern, PathPattern.mostSpecificFirst())
          .thenComparing(rule -> rule.set().id())
          .thenComparing(WildRule::order);

  Match match() {
    return new Match(set, pattern.toString(), hint);
  }
}
