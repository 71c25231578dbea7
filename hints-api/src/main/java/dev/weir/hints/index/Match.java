package dev.weir.hints.index;

import dev.weir.hints.Hint;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;

/** What the index says of a path: the most specific rule that matches. Immutable. */
public final class Match {
  private final SetInfo set;
  private final String pattern;
  private final Hint hint;

  Match(SetInfo set, String pattern, Hint hint) {
    this.set = set;
    this.pattern = pattern;
    this.hint = hint;
  }

  /** The set that the rule belongs to. */
  public SetInfo set() {
    return set;
  }

  /** The advice of the rule. */
  public Hint hint() {
    return hint;
  }

  /** The pattern of the rule as it was written. */
  public String pattern() {
    return pattern;
  }

  /** The rule; costs reading its pattern again. */
  public Rule rule() {
    return new Rule(PathPattern.parse(pattern), hint);
  }

  @Override
  public String toString() {
    return pattern + " -> " + hint + " of set " + set.id();
  }
}
