package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.Hint;
import java.io.IOException;

/**
 * The hint that applies to a path, and its origin.
 *
 * @param path the requested path
 * @param set the hint set with the rule
 * @param pattern the rule's pattern
 */
public record EffectiveHint(
    String path, Hint hint, String text, String set, String owner, String pattern, long version) {
  public static EffectiveHint of(JsonNode json) throws IOException {
    return new EffectiveHint(
        JsonReader.text(json, "path"),
        ModelJson.rule(json).hint(),
        JsonReader.text(json, "text"),
        JsonReader.text(json, "set"),
        JsonReader.text(json, "owner"),
        JsonReader.text(json, "pattern"),
        JsonReader.number(json, "version"));
  }
}
