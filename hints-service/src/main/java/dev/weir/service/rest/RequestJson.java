package dev.weir.service.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses request bodies, strictly and within limits. */
public final class RequestJson {
  private static final int MAX_NESTING = 32;
  private static final int MAX_NUMBER = 40;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_NESTING)
                          .maxNumberLength(MAX_NUMBER)
                          .build())
                  .build())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private RequestJson() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /**
   * Parses a body that must be a JSON object.
   *
   * @throws ProblemException 400 if it is not, 413 if it is too long
   */
  public static ObjectNode readObject(InputStream body) throws IOException {
    JsonNode node = read(body);
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw ProblemException.invalid("", "the body is not a JSON object; write { ... }");
  }

  /**
   * Parses a body that must be a JSON value.
   *
   * @throws ProblemException 400 if it is not, 413 if it is too long
   */
  public static JsonNode read(InputStream body) throws IOException {
    byte[] bytes = body.readAllBytes();
    return parse(new String(bytes, StandardCharsets.UTF_8));
  }

  static JsonNode parse(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node == null || node.isMissingNode()) {
        throw ProblemException.invalid("", "the body is empty; write JSON");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw ProblemException.invalid(
              "", "the body is not JSON" + place(e.getLocation()) + ": " + e.getOriginalMessage())
          .because(e);
    }
  }

  /**
   * Refuses fields that a call does not have.
   *
   * @throws ProblemException 400
   */
  public static void requireFields(ObjectNode body, List<String> known) {
    for (Iterator<String> names = body.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw ProblemException.invalid(
            "/" + name.replace("~", "~0").replace("/", "~1"),
            "'" + name + "' is not a field of this call; leave it out",
            known);
      }
    }
  }

  /**
   * Returns the elements of a field that must be an array of texts.
   *
   * @param what one element, for messages
   * @throws ProblemException 400 if it is not
   */
  public static List<String> texts(ObjectNode body, String field, String what) {
    JsonNode array = body.path(field);
    if (!array.isArray()) {
      throw ProblemException.invalid(
          "/" + field,
          "is not an array; write {\""
              + field
              + "\":[\""
              + what.toUpperCase(Locale.ROOT)
              + "\", ...]}");
    }
    List<String> texts = new ArrayList<>(array.size());
    for (JsonNode element : array) {
      if (!element.isTextual()) {
        throw ProblemException.invalid(
            "/" + field + "/" + texts.size(), "is not text; write a " + what + " in double quotes");
      }
      texts.add(element.textValue());
    }
    return texts;
  }

  private static String place(@Nullable JsonLocation at) {
    return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }
}
