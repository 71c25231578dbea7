package dev.weir.hints.index;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Estimates the memory that a set takes in an index. The constants are upper bounds that were
 * measured without compressed references, which a NameNode's heap is too large for.
 */
public final class SetMemory {
  private static final long SET = 600;
  private static final long EXACT = 200;
  private static final long PATTERN = 400;
  private static final long PATTERN_COMPONENT = 100;
  private static final long PATTERN_CHARACTER = 14;
  private static final long CHARACTER = 2;
  private static final long HINT = 300;
  private static final long TEXT = 80;

  private SetMemory() {}

  /** The estimate in bytes. Takes time proportional to the number of rules. */
  public static long bytes(HintSet set) {
    long bytes = SET;
    Set<Hint> hints = new HashSet<>();
    for (Rule rule : set.rules()) {
      String pattern = rule.pattern().toString();
      bytes +=
          rule.pattern().isLiteral()
              ? EXACT + CHARACTER * pattern.length()
              : PATTERN
                  + PATTERN_COMPONENT * pattern.chars().filter(c -> c == '/').count()
                  + PATTERN_CHARACTER * pattern.length();
      if (hints.add(rule.hint())) {
        bytes += bytes(rule.hint());
      }
    }
    return bytes;
  }

  private static long bytes(Hint hint) {
    Placement placement = hint.placement().orElse(null);
    if (placement instanceof Placement.Collocate collocate) {
      return HINT + CHARACTER * collocate.group().length();
    }
    List<String> hosts = placement instanceof Placement.Nodes nodes ? nodes.hosts() : List.of();
    return HINT + hosts.stream().mapToLong(host -> TEXT + CHARACTER * host.length()).sum();
  }
}
