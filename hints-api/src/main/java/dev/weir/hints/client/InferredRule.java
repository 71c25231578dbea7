package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.Rule;
import java.io.IOException;
import java.util.List;

/**
 * A rule that a workflow implies.
 *
 * @param text its hint as text
 * @param reason the reason in one clause
 */
public record InferredRule(Rule rule, String text, String reason) {
  /** Parses an answer. */
  public static List<InferredRule> listOf(JsonNode json) throws IOException {
    return JsonReader.list(
        json,
        "rules",
        rule ->
            new InferredRule(
                ModelJson.rule(rule),
                JsonReader.text(rule, "text"),
                JsonReader.text(rule, "reason")));
  }
}
