package dev.weir.hints.index;

import dev.weir.hints.Hint;
import dev.weir.hints.PathPattern;
import java.util.Comparator;

/**
 * A rule with wildcards in an index.
 *
 * @param order its position among the rules of its set
 */
record WildcardRule(PathPattern pattern, Hint hint, SetInfo set, int order)
    implements PatternTable.Outcome {

  static final Comparator<WildcardRule> BY_PRECEDENCE =
      Comparator.comparing(WildcardRule::pattern, PathPattern.mostSpecificFirst())
          .thenComparing(rule -> rule.set().id())
          .thenComparing(WildcardRule::order);

  Match match() {
    return new Match(set, pattern.toString(), hint);
  }
}
