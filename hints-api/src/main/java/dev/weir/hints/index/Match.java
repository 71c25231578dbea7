package dev.weir.hints.index;

import dev.weir.hints.Hint;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;

/** The result of a lookup: the most specific rule that matches a path. Immutable. */
public final class Match {
  private final SetInfo set;
  private final String pattern;
  private final Hint hint;

  Match(SetInfo set, String pattern, Hint hint) {
    this.set = set;
    this.pattern = pattern;
    this.hint = hint;
  }

  /** The set that contains the rule. */
  public SetInfo set() {
    return set;
  }

  public Hint hint() {
    return hint;
  }

  /** The pattern of the rule as written. */
  public String pattern() {
    return pattern;
  }

  /** The rule; parses its pattern again. */
  public Rule rule() {
    return new Rule(PathPattern.parse(pattern), hint);
  }

  @Override
  public String toString() {
    return pattern + " -> " + hint + " of set " + set.id();
  }
}
