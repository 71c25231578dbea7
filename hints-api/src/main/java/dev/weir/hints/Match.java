package dev.weir.hints;

/**
 * What the index says of a path.
 *
 * @param set the set that the rule belongs to
 * @param rule the most specific rule that matches
 */
public record Match(HintSet set, Rule rule) {

  /** The advice of the rule. */
  public Hint hint() {
    return rule.hint();
  }
}
