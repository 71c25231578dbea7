package dev.weir.service.rest;

import dev.weir.service.part.ProblemException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a change or a read of a set: the headers {@code If-Match} and {@code
 * If-None-Match}. The tag of a set is its version in double quotes.
 *
 * @param match the set must have one of these tags; null if the header is absent
 * @param noneMatch the set must have none of these tags; null if the header is absent
 */
record VersionCondition(@Nullable Tags match, @Nullable Tags noneMatch) {
  private static final String IF_MATCH = "If-Match";
  private static final String IF_NONE_MATCH = "If-None-Match";
  private static final Pattern TAG = Pattern.compile("(?:W/)?\"([^\"]*)\"");

  static VersionCondition of(RequestContext call) {
    return new VersionCondition(
        call.header(IF_MATCH).map(text -> Tags.of(IF_MATCH, text)).orElse(null),
        call.header(IF_NONE_MATCH).map(text -> Tags.of(IF_NONE_MATCH, text)).orElse(null));
  }

  static String tag(long version) {
    return "\"" + version + "\"";
  }

  /** Returns whether the client has the current version. */
  boolean isUnmodified(long version) {
    return noneMatch != null && noneMatch.has(OptionalLong.of(version));
  }

  /**
   * Checks the condition.
   *
   * @param version of the set; empty if it does not exist
   * @throws ProblemException 412 if the condition does not hold
   */
  void requireHolds(String id, OptionalLong version) {
    String now = version.isPresent() ? "is at version " + version.getAsLong() : "does not exist";
    if (match != null && !match.has(version)) {
      throw failed(IF_MATCH, "hint set '" + id + "' " + now + "; read it again and repeat");
    }
    if (noneMatch != null && noneMatch.has(version)) {
      throw failed(IF_NONE_MATCH, "hint set '" + id + "' " + now);
    }
  }

  private static ProblemException failed(String header, String detail) {
    return ProblemException.of(412, "Precondition failed", detail, header);
  }

  /**
   * The value of one of the headers.
   *
   * @param any whether it is an asterisk
   */
  record Tags(boolean any, Set<String> tags) {
    static Tags of(String header, String text) {
      if (text.strip().equals("*")) {
        return new Tags(true, Set.of());
      }
      Matcher tag = TAG.matcher(text);
      Set<String> tags = tag.results().map(found -> found.group(1)).collect(Collectors.toSet());
      if (tags.isEmpty()) {
        throw ProblemException.invalid(
            header,
            "'" + text + "' is not a tag; write a version in double quotes, or *",
            List.of("\"VERSION\"", "*"));
      }
      return new Tags(false, tags);
    }

    boolean has(OptionalLong version) {
      return version.isPresent() && (any || tags.contains(Long.toString(version.getAsLong())));
    }
  }
}
