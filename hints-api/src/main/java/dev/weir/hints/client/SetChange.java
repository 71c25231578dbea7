package dev.weir.hints.client;

import dev.weir.hints.Rule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a hint set.
 *
 * @param rules rules to add, replacing those with the same patterns
 * @param remove patterns whose rules are removed
 * @param expires the new expiry; null to keep it
 */
public record SetChange(List<Rule> rules, List<String> remove, @Nullable Instant expires) {
  public SetChange {
    rules = List.copyOf(rules);
    remove = List.copyOf(remove);
  }

  /** Adds or replaces one rule. */
  public static SetChange of(Rule rule) {
    return new SetChange(List.of(rule), List.of(), null);
  }
}
