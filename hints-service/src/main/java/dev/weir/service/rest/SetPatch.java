package dev.weir.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a PATCH.
 *
 * @param rules replace rules with the same pattern, or are appended
 * @param remove patterns of rules to remove; unknown patterns are ignored
 * @param expires the new expiry; null for never, within the limits
 */
record SetPatch(
    List<Rule> rules, List<String> remove, boolean changesExpiry, @Nullable Instant expires) {
  private static final List<String> FIELDS = List.of("rules", "remove", "expires");

  SetPatch {
    rules = List.copyOf(rules);
    remove = List.copyOf(remove);
  }

  static SetPatch read(ObjectNode body) {
    for (Iterator<String> names = body.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!FIELDS.contains(name)) {
        throw new ProblemException(
            Problem.invalid("/" + name, "'" + name + "' cannot be changed", FIELDS));
      }
    }
    List<Rule> rules = body.has("rules") ? SetJson.rules(body.path("rules")) : List.of();
    Instant expires =
        body.has("expires") ? SetJson.instant("/expires", body.path("expires")) : null;
    return new SetPatch(rules, patterns(body.path("remove")), body.has("expires"), expires);
  }

  List<Rule> applyTo(HintSet set) {
    Map<String, Rule> byPattern = new LinkedHashMap<>();
    set.rules().forEach(rule -> byPattern.put(rule.pattern().toString(), rule));
    remove.forEach(byPattern::remove);
    rules.forEach(rule -> byPattern.put(rule.pattern().toString(), rule));
    return List.copyOf(byPattern.values());
  }

  private static List<String> patterns(JsonNode remove) {
    List<String> patterns = new ArrayList<>();
    if (remove.isMissingNode()) {
      return patterns;
    }
    if (!remove.isArray()) {
      throw new ProblemException(
          Problem.invalid("/remove", "is not an array; write [\"PATTERN\", ...]"));
    }
    for (int i = 0; i < remove.size(); i++) {
      if (!remove.get(i).isTextual()) {
        throw new ProblemException(
            Problem.invalid("/remove/" + i, "is not text; write a pattern in double quotes"));
      }
      patterns.add(remove.get(i).textValue());
    }
    return patterns;
  }
}
