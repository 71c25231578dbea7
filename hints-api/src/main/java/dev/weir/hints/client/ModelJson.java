package dev.weir.hints.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.Hint;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.util.List;

/** Converts hints, rules and sets from and to the service's JSON. */
final class ModelJson {
  private static final String SOURCE = "the service's answer";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ModelJson() {}

  static ObjectNode write(HintSet set) {
    try {
      return (ObjectNode) MAPPER.readTree(HintCodec.toJson(set));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the codec's output is not JSON", e);
    }
  }

  static JsonNode write(List<Rule> rules) {
    return write(new HintSet("rules", "rules", null, rules)).path("rules");
  }

  static JsonNode write(Hint hint) {
    return write(List.of(new Rule(PathPattern.parse("/**"), hint))).path(0).path("hint");
  }

  /** Parses a set. Additional fields of the service are ignored. */
  static HintSet set(JsonNode json) throws IOException {
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    for (String field : List.of("id", "owner", "expires")) {
      if (json.path(field).isTextual()) {
        plain.set(field, json.path(field));
      }
    }
    for (JsonNode rule : json.path("rules")) {
      plain.withArray("rules").add(plainRule(rule));
    }
    try {
      return HintCodec.fromJson(plain.toString(), SOURCE);
    } catch (InvalidHintException e) {
      throw HintsServiceException.away(e.getMessage() + " (is this client older?)", e);
    }
  }

  static Rule rule(JsonNode json) throws IOException {
    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.put("id", "rule").put("owner", "rule").putArray("rules").add(json);
    return set(set).rules().get(0);
  }

  private static ObjectNode plainRule(JsonNode rule) {
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    plain.set("pattern", rule.path("pattern"));
    plain.set("hint", rule.path("hint"));
    return plain;
  }
}
