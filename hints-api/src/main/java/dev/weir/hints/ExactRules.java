package dev.weir.hints;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What the sets say of one exact path: the advice of the set whose id sorts first, and that of the
 * others, for when that one goes. Immutable.
 */
final class ExactRules implements HashTrie.Keyed {
  private static final ExactRules[] NONE = {};

  private final String path;
  private final String pattern;
  private final SetInfo set;
  private final Hint hint;
  private final ExactRules[] others;

  private ExactRules(String path, String pattern, SetInfo set, Hint hint, ExactRules[] others) {
    this.path = path;
    this.pattern = pattern;
    this.set = set;
    this.hint = hint;
    this.others = others;
  }

  /**
   * What one set says.
   *
   * @param pattern the path as its rule has it
   */
  static ExactRules of(String path, String pattern, SetInfo set, Hint hint) {
    return new ExactRules(path, pattern, set, hint, NONE);
  }

  @Override
  public String key() {
    return path;
  }

  Match match() {
    return new Match(set, pattern, hint);
  }

  /** With the advice of another set. */
  ExactRules with(ExactRules more) {
    ExactRules[] all = Arrays.copyOf(others, others.length + 2);
    all[others.length] = of(path, pattern, set, hint);
    all[others.length + 1] = more;
    return best(all);
  }

  /** Without that of a set; null when no other says anything. */
  @Nullable ExactRules without(String id) {
    if (set.id().equals(id)) {
      return others.length == 0 ? null : best(others.clone());
    }
    ExactRules[] rest =
        Arrays.stream(others).filter(one -> !one.set.id().equals(id)).toArray(ExactRules[]::new);
    return new ExactRules(path, pattern, set, hint, rest);
  }

  private static ExactRules best(ExactRules[] all) {
    Arrays.sort(all, Comparator.comparing((ExactRules one) -> one.set.id()));
    ExactRules first = all[0];
    return new ExactRules(
        first.path, first.pattern, first.set, first.hint, Arrays.copyOfRange(all, 1, all.length));
  }
}
