package dev.weir.workflow.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** A node of a JSON tree with its position, for error messages. */
record JsonPlace(JsonNode node, String source, String pointer) {

  IOException problem(String below, String problem, String remedy) {
    return new IOException(source + ": " + pointer + below + ": " + problem + "; " + remedy);
  }

  boolean has(String key) {
    return node.has(key);
  }

  JsonPlace under(String key) {
    return new JsonPlace(node.path(key), source, pointer + "/" + key);
  }

  String text(String key) throws IOException {
    JsonNode value = node.path(key);
    if (!value.isTextual()) {
      throw problem("/" + key, "not a string", "give a string");
    }
    return value.textValue();
  }

  long number(String key) throws IOException {
    JsonNode value = node.path(key);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw problem("/" + key, "not an integer", "give one");
    }
    return value.longValue();
  }

  int smallNumber(String key) throws IOException {
    long number = number(key);
    if (number != (int) number) {
      throw problem("/" + key, number + " does not fit 32 bits", "give a smaller number");
    }
    return (int) number;
  }

  <T> T value(String key, Function<String, T> parse) throws IOException {
    String text = text(key);
    try {
      return parse.apply(text);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw problem("/" + key, "'" + text + "' does not parse", e.getMessage() + "");
    }
  }

  /** Builds a value whose constructor may reject its components. */
  <T> T build(Supplier<T> supplier) throws IOException {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw problem("", e.getMessage() + "", "correct the record");
    }
  }

  List<JsonPlace> elements(String key) throws IOException {
    JsonNode array = node.path(key);
    if (!array.isArray()) {
      throw problem("/" + key, "not a list", "give one, [] if it is empty");
    }
    List<JsonPlace> places = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      places.add(new JsonPlace(array.get(i), source, pointer + "/" + key + "/" + i));
    }
    return places;
  }
}
