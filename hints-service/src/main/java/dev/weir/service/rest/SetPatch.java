package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import java.time.Instant;
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
    RequestJson.requireFields(body, FIELDS);
    List<Rule> rules = body.has("rules") ? SetJson.rules(body.path("rules")) : List.of();
    Instant expires =
        body.has("expires") ? SetJson.instant("/expires", body.path("expires")) : null;
    List<String> remove =
        body.has("remove") ? RequestJson.texts(body, "remove", "pattern") : List.of();
    return new SetPatch(rules, remove, body.has("expires"), expires);
  }

  List<Rule> applyTo(HintSet set) {
    Map<String, Rule> byPattern = new LinkedHashMap<>();
    set.rules().forEach(rule -> byPattern.put(rule.pattern().toString(), rule));
    remove.forEach(byPattern::remove);
    rules.forEach(rule -> byPattern.put(rule.pattern().toString(), rule));
    return List.copyOf(byPattern.values());
  }
}
