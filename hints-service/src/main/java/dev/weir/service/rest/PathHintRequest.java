package dev.weir.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.hints.Hint;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The contents of a request by path: the path or pattern, the hint, and its expiry. */
final class PathHintRequest {
  private static final String FIELD = "path";

  private PathHintRequest() {}

  /** Parses a path in which no character is special. */
  static PathPattern path(String given) {
    String text = withoutTrailingSlash(given);
    try {
      return PathPattern.literal(text);
    } catch (InvalidHintException e) {
      throw ProblemException.invalid(FIELD, String.valueOf(e.getMessage())).because(e);
    }
  }

  private static String withoutTrailingSlash(String given) {
    return given.length() > 1 && given.endsWith("/")
        ? given.substring(0, given.length() - 1)
        : given;
  }

  /**
   * The path of a request.
   *
   * @param text as it was given, without a trailing slash
   * @param file the path in the file system; null if it is a pattern with wildcards
   * @param trailingSlash whether it was given with a trailing slash, as a directory
   */
  record Target(String text, PathPattern pattern, @Nullable String file, boolean trailingSlash) {

    /** Parses the parameter {@code path}. */
    static Target of(String given) {
      String text = withoutTrailingSlash(given);
      if (text.equals("/")) {
        return new Target(text, PathPattern.parse("/**"), text, true);
      }
      try {
        boolean hasWildcards = text.chars().anyMatch(c -> "*?{}\\".indexOf(c) >= 0);
        PathPattern pattern = hasWildcards ? PathPattern.parse(text) : PathPattern.literal(text);
        return new Target(
            text, pattern, hasWildcards ? null : pattern.literalPrefix(), !text.equals(given));
      } catch (InvalidHintException e) {
        throw ProblemException.invalid(FIELD, String.valueOf(e.getMessage())).because(e);
      }
    }

    String authority() {
      return pattern.authority().orElse(CallerFileSystems.DEFAULT);
    }

    PathPattern below() {
      return text.equals("/") ? pattern : PathPattern.parse(pattern + "/**");
    }
  }

  /**
   * The hint to set.
   *
   * @param expires null if the body has no expiry
   */
  record HintToSet(Hint hint, @Nullable Instant expires) {

    /** Parses JSON: a hint, or an object that has one as its field. */
    static HintToSet read(JsonNode body) {
      if (body instanceof ObjectNode object && object.has("hint")) {
        RequestJson.requireFields(object, List.of("hint", "expires"));
        Instant expires =
            object.has("expires") ? SetJson.instant("/expires", object.path("expires")) : null;
        return new HintToSet(hint("/hint", object.path("hint")), expires);
      }
      return new HintToSet(hint("", body), null);
    }

    /** Parses the short form. */
    static HintToSet read(String text) {
      return new HintToSet(hint("", TextNode.valueOf(text.strip())), null);
    }

    private static Hint hint(String pointer, JsonNode node) {
      ObjectNode rule = RequestJson.object();
      rule.put("pattern", "/x");
      rule.set("hint", node);
      try {
        return SetJson.rules(RequestJson.array().add(rule)).get(0).hint();
      } catch (InvalidHintException e) {
        Problem problem = InvalidInput.problem(e).problem();
        String pointerInHint = String.valueOf(problem.field()).replaceFirst("^/rules/0/hint", "");
        throw ProblemException.invalid(pointer + pointerInHint, problem.detail()).because(e);
      }
    }
  }
}
