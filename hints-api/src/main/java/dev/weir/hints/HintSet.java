package dev.weir.hints;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one workflow run, which are written, replaced and removed together.
 *
 * @param id of the set: 1 to 128 letters, digits, dots, underscores or hyphens, not starting with a
 *     dot
 * @param owner the user who owns the set; not blank
 * @param expires when the set expires; null for never
 * @param rules the rules, with distinct patterns
 */
public record HintSet(String id, String owner, @Nullable Instant expires, List<Rule> rules) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");

  /** Validates the id and the owner, and copies the rules. */
  public HintSet {
    requireId(id);
    if (owner.isBlank()) {
      throw new InvalidHintException("owner is blank; write a user name");
    }
    rules = List.copyOf(rules);
    HashSet<PathPattern> seen = new HashSet<>();
    for (Rule rule : rules) {
      if (!seen.add(rule.pattern())) {
        throw new InvalidHintException(
            "pattern '" + rule.pattern() + "' occurs twice; merge its two rules into one");
      }
    }
  }

  /**
   * Validates the id of a set.
   *
   * @throws InvalidHintException if it is invalid
   */
  public static String requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new InvalidHintException(
          "hint set id '"
              + id
              + "' is not valid; write 1 to 128 letters, digits, dots, underscores or hyphens,"
              + " not beginning with a dot");
    }
    return id;
  }

  public boolean isExpired(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
