package dev.weir.hints.index;

import dev.weir.hints.Hint;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What the sets say of one exact path: the advice of the set whose id sorts first, and that of the
 * others, for when that one goes. Immutable.
 */
final class ExactPathRules implements HashTrie.Keyed {
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
   * What one set says.
   *
   * @param pattern the path as its rule has it
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

  /** With the advice of another set. */
  ExactPathRules with(ExactPathRules more) {
    ExactPathRules[] all = Arrays.copyOf(others, others.length + 2);
    all[others.length] = of(path, pattern, set, hint);
    all[others.length + 1] = more;
    return best(all);
  }

  /** Without that of a set; null when no other says anything. */
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
