package dev.weir.hints.index;

import dev.weir.hints.Hint;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The hints of all sets for one exact path. The set whose id sorts first wins; the others are kept
 * in case it is removed. Immutable.
 */
final class ExactPathRules implements HashTrie.Keyed, PatternTable.Outcome {
  private static final ExactPathRules[] NONE = {};

  private final String path;
  private final String pattern;
  private final SetInfo set;
  private final Hint hint;
  private final ExactPathRules[] others;

  private ExactPathRules(
      String path, String pattern, SetInfo set, Hint hint, ExactPathRules[] others) {
    this.path = path;
    this.pattern = pattern;
    this.set = set;
    this.hint = hint;
    this.others = others;
  }

  /**
   * The hint of one set.
   *
   * @param pattern the path as the rule spells it
   */
  static ExactPathRules of(String path, String pattern, SetInfo set, Hint hint) {
    return new ExactPathRules(path, pattern, set, hint, NONE);
  }

  @Override
  public String key() {
    return path;
  }

  Match match() {
    return new Match(set, pattern, hint);
  }

  /** A copy with the hint of another set. */
  ExactPathRules with(ExactPathRules other) {
    ExactPathRules[] all = Arrays.copyOf(others, others.length + 2);
    all[others.length] = of(path, pattern, set, hint);
    all[others.length + 1] = other;
    return best(all);
  }

  /** A copy without the hint of a set; null if no other remains. */
  @Nullable ExactPathRules without(String id) {
    if (set.id().equals(id)) {
      return others.length == 0 ? null : best(others.clone());
    }
    ExactPathRules[] rest =
        Arrays.stream(others)
            .filter(one -> !one.set.id().equals(id))
            .toArray(ExactPathRules[]::new);
    return new ExactPathRules(path, pattern, set, hint, rest);
  }

  private static ExactPathRules best(ExactPathRules[] all) {
    Arrays.sort(all, Comparator.comparing((ExactPathRules one) -> one.set.id()));
    ExactPathRules first = all[0];
    return new ExactPathRules(
        first.path, first.pattern, first.set, first.hint, Arrays.copyOfRange(all, 1, all.length));
  }
}
