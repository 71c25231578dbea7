package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers of a service that may be newer than this client: unknown fields are ignored,
 * missing ones are reported.
 */
final class JsonReader {
  private JsonReader() {}

  static String text(JsonNode json, String field) throws IOException {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw missingField(json, field);
    }
    return value.textValue();
  }

  static @Nullable String optionalText(JsonNode json, String field) {
    JsonNode value = json.path(field);
    return value.isTextual() ? value.textValue() : null;
  }

  static long number(JsonNode json, String field) throws IOException {
    JsonNode value = json.path(field);
    if (!value.isIntegralNumber()) {
      throw missingField(json, field);
    }
    return value.longValue();
  }

  static <T> List<T> list(JsonNode json, String field, FunctionRaisingIOE<JsonNode, T> converter)
      throws IOException {
    if (!json.path(field).isArray()) {
      throw missingField(json, field);
    }
    List<T> values = new ArrayList<>();
    for (JsonNode element : json.path(field)) {
      values.add(converter.apply(element));
    }
    return values;
  }

  static List<String> texts(JsonNode json, String field) throws IOException {
    return list(json, field, JsonNode::asText);
  }

  private static HintsServiceException missingField(JsonNode json, String field) {
    String text = json.toString();
    return HintsServiceException.away(
        "The service's answer lacks '"
            + field
            + "' in "
            + (text.length() > 80 ? text.substring(0, 80) + "..." : text)
            + ": check that "
            + ClientSettings.URL_KEY
            + " names the hints service",
        null);
  }
}
