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
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
    throw new ProblemException(Problem.invalid("", "the body is not a JSON object; write { ... }"));
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
        throw new ProblemException(Problem.invalid("", "the body is empty; write JSON"));
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new ProblemException(
          Problem.invalid(
              "", "the body is not JSON" + place(e.getLocation()) + ": " + e.getOriginalMessage()),
          e);
    }
  }

  private static String place(@Nullable JsonLocation at) {
    return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }
}
