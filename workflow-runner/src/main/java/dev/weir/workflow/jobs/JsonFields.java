package dev.weir.workflow.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads a JSON object field by field; errors name the field. */
final class JsonFields {

  private final JsonNode object;
  private final String where;

  private JsonFields(JsonNode object, String where) {
    this.object = object;
    this.where = where;
  }

  /**
   * Creates the fields of an object.
   *
   * @param where what the object is, for messages
   */
  static JsonFields of(JsonNode node, String where) throws InvalidJobException {
    if (!node.isObject()) {
      throw new InvalidJobException(where + " is " + node.getNodeType() + ": write a JSON object");
    }
    return new JsonFields(node, where);
  }

  /** Rejects unknown fields, which would otherwise be ignored silently. */
  void requireOnly(Set<String> known) throws InvalidJobException {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new InvalidJobException(
            where
                + " has the field '"
                + name
                + "', which is not honoured here: leave it out. Honoured are "
                + String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  boolean has(String name) {
    return object.hasNonNull(name);
  }

  private JsonNode require(String name) throws InvalidJobException {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      throw new InvalidJobException(where + " lacks the field '" + name + "'");
    }
    return value;
  }

  private InvalidJobException wrong(String name, String wanted) {
    return new InvalidJobException(where + "'s '" + name + "' is not " + wanted + ": write one");
  }

  String text(String name) throws InvalidJobException {
    JsonNode value = require(name);
    if (!value.isTextual()) {
      throw wrong(name, "a string");
    }
    return value.textValue();
  }

  String text(String name, String otherwise) throws InvalidJobException {
    return has(name) ? text(name) : otherwise;
  }

  int integer(String name, int otherwise) throws InvalidJobException {
    long value = whole(name, otherwise);
    if (value != (int) value) {
      throw wrong(name, "a whole number of up to 2147483647");
    }
    return (int) value;
  }

  long whole(String name, long otherwise) throws InvalidJobException {
    if (!has(name)) {
      return otherwise;
    }
    JsonNode value = require(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw wrong(name, "a whole number");
    }
    return value.longValue();
  }

  /** Returns whether a field is there and true. */
  boolean flag(String name) throws InvalidJobException {
    if (!has(name)) {
      return false;
    }
    JsonNode value = require(name);
    if (!value.isBoolean()) {
      throw wrong(name, "true or false");
    }
    return value.booleanValue();
  }

  double number(String name, double otherwise) throws InvalidJobException {
    if (!has(name)) {
      return otherwise;
    }
    JsonNode value = require(name);
    if (!value.isNumber()) {
      throw wrong(name, "a number");
    }
    return value.doubleValue();
  }

  List<String> texts(String name) throws InvalidJobException {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : array(name)) {
      if (!item.isTextual()) {
        throw wrong(name, "an array of strings");
      }
      texts.add(item.textValue());
    }
    return texts;
  }

  Map<String, String> map(String name) throws InvalidJobException {
    Map<String, String> map = new LinkedHashMap<>();
    if (has(name)) {
      JsonNode value = require(name);
      if (!value.isObject()) {
        throw wrong(name, "an object of strings");
      }
      for (Iterator<String> keys = value.fieldNames(); keys.hasNext(); ) {
        String key = keys.next();
        JsonNode text = value.path(key);
        if (!text.isTextual()) {
          throw wrong(name + "." + key, "a string");
        }
        map.put(key, text.textValue());
      }
    }
    return map;
  }

  Map<String, Long> amounts(String name) throws InvalidJobException {
    Map<String, Long> amounts = new LinkedHashMap<>();
    if (has(name)) {
      JsonFields fields = of(require(name), where + "'s '" + name + "'");
      for (Iterator<String> keys = fields.object.fieldNames(); keys.hasNext(); ) {
        String key = keys.next();
        amounts.put(key, fields.whole(key, 0));
      }
    }
    return amounts;
  }

  List<JsonFields> objects(String name) throws InvalidJobException {
    List<JsonFields> objects = new ArrayList<>();
    if (has(name)) {
      for (JsonNode item : array(name)) {
        objects.add(of(item, where + "'s " + name + "[" + objects.size() + "]"));
      }
    }
    return objects;
  }

  private JsonNode array(String name) throws InvalidJobException {
    JsonNode value = require(name);
    if (!value.isArray()) {
      throw wrong(name, "an array");
    }
    return value;
  }
}
