package dev.weir.hints;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A JSON value with its position, for messages.
 *
 * @param source the name of the text
 * @param pointer the position as a JSON pointer; empty for the whole text
 * @param isLenient whether unknown fields are ignored
 */
record HintJsonNode(String source, String pointer, JsonNode node, boolean isLenient) {

  /** A copy that ignores unknown fields, here and below. */
  HintJsonNode lenient() {
    return new HintJsonNode(source, pointer, node, true);
  }

  /** Requires an object, without unknown fields unless they are ignored. */
  void requireFields(String... known) {
    if (!node.isObject()) {
      throw error("is " + describe() + ", not an object", "write { ... } there");
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!isLenient && !Arrays.asList(known).contains(name)) {
        throw child(name)
            .error("is not a known field", "remove it; known are " + String.join(", ", known));
      }
    }
  }

  HintJsonNode require(String field) {
    return optional(field)
        .orElseThrow(() -> error("has no field '" + field + "'", "add the field '" + field + "'"));
  }

  Optional<HintJsonNode> optional(String field) {
    if (!node.isObject()) {
      throw error("is " + describe() + ", not an object", "write { ... } there");
    }
    return node.has(field) ? Optional.of(child(field)) : Optional.empty();
  }

  List<HintJsonNode> elements() {
    if (!node.isArray()) {
      throw error("is " + describe() + ", not an array", "write [ ... ] there");
    }
    List<HintJsonNode> elements = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      elements.add(new HintJsonNode(source, pointer + "/" + i, node.get(i), isLenient));
    }
    return elements;
  }

  boolean isText() {
    return node.isTextual();
  }

  String text() {
    if (!node.isTextual()) {
      throw error("is " + describe() + ", not text", "write it in double quotes");
    }
    return node.textValue();
  }

  long integer() {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw error("is " + describe() + ", not a whole number", "write digits without quotes");
    }
    return node.longValue();
  }

  boolean bool() {
    if (!node.isBoolean()) {
      throw error("is " + describe() + ", not true or false", "write true or false without quotes");
    }
    return node.booleanValue();
  }

  Instant instant() {
    String text = text();
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw error(e, "'" + text + "' is not a time", "write one such as 2030-01-31T12:00:00Z");
    }
  }

  Duration duration() {
    String text = text();
    try {
      return Duration.parse(text);
    } catch (DateTimeException e) {
      throw error(e, "'" + text + "' is not a duration", "write one such as PT12H or P2D");
    }
  }

  /** Calls the converter. Adds this position to the message if it refuses the value. */
  <T> T convert(Supplier<T> converter) {
    try {
      return converter.get();
    } catch (InvalidHintException e) {
      throw new InvalidHintException(position() + ": " + e.getMessage(), e);
    }
  }

  InvalidHintException error(String problem, String remedy) {
    return new InvalidHintException(position() + ": " + problem + "; " + remedy);
  }

  private InvalidHintException error(Exception cause, String problem, String remedy) {
    return new InvalidHintException(position() + ": " + problem + "; " + remedy, cause);
  }

  private HintJsonNode child(String field) {
    String escaped = field.replace("~", "~0").replace("/", "~1");
    return new HintJsonNode(source, pointer + "/" + escaped, node.path(field), isLenient);
  }

  private String position() {
    return source + ": " + (pointer.isEmpty() ? "the document" : pointer);
  }

  private String describe() {
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "the text '" + node.textValue() + "'";
      case NUMBER -> "the number " + node;
      case BOOLEAN -> "the boolean " + node;
      case NULL -> "null";
      default -> "missing";
    };
  }
}
