package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.Hint;
import java.io.IOException;

/**
 * The hint that counts for a path, and where it comes from.
 *
 * @param path the path that was asked for
 * @param hint the hint
 * @param text the hint as text
 * @param set the hint set that has the rule
 * @param owner whose set it is
 * @param pattern the rule's pattern
 * @param version the version that the set is at
 */
public record EffectiveHint(
    String path, Hint hint, String text, String set, String owner, String pattern, long version) {
  /** Reads an answer. */
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
