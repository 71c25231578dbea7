package dev.weir.workflow.wfformat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.model.PlainText;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A node of a JSON tree with its file and its JSON pointer, for messages. Keys that are not
 * requested are ignored.
 */
record JsonPlace(JsonNode node, String file, String pointer) {

  WorkflowException problem(String problem, String remedy) {
    return new WorkflowException(
        file, pointer.isEmpty() ? "/" : pointer, problem, remedy, /* cause= */ null);
  }

  boolean has(String key) {
    return node.has(key);
  }

  /**
   * Returns the value of a key. A missing value has a place as well, so that its absence can be
   * reported.
   */
  JsonPlace at(String key) {
    return new JsonPlace(node.path(key), file, pointer + "/" + key);
  }

  JsonPlace object(String key) throws WorkflowException {
    JsonPlace value = at(key);
    if (!value.node.isObject()) {
      throw value.problem(value.found("an object"), "write {...} here");
    }
    return value;
  }

  Optional<JsonPlace> optionalObject(String key) throws WorkflowException {
    return has(key) ? Optional.of(object(key)) : Optional.empty();
  }

  List<JsonPlace> list(String key, String remedy) throws WorkflowException {
    JsonPlace value = at(key);
    if (!value.node.isArray()) {
      throw value.problem(value.found("a list"), remedy);
    }
    List<JsonPlace> elements = new ArrayList<>(value.node.size());
    for (int i = 0; i < value.node.size(); i++) {
      elements.add(new JsonPlace(value.node.get(i), file, value.pointer + "/" + i));
    }
    return elements;
  }

  List<JsonPlace> optionalList(String key) throws WorkflowException {
    return has(key) ? list(key, "write [...] here or remove the key") : List.of();
  }

  String text(String remedy) throws WorkflowException {
    if (!node.isTextual()) {
      throw problem(found("a string"), remedy);
    }
    return without(PlainText.problem(node.textValue()));
  }

  /** Returns a string that can be an argument of a program. */
  String argument(String remedy) throws WorkflowException {
    return without(PlainText.problemAsArgument(text(remedy)));
  }

  private String without(Optional<String> problem) throws WorkflowException {
    if (problem.isPresent()) {
      throw problem("the string " + problem.get(), "remove it");
    }
    return node.textValue();
  }

  String nonBlankText(String remedy) throws WorkflowException {
    String text = text(remedy);
    if (text.isBlank()) {
      throw problem("the string is blank", remedy);
    }
    return text;
  }

  /** Returns a number of bytes. 5e3 and 12.0 are accepted. */
  long bytes(String remedy) throws WorkflowException {
    if (!node.isNumber()) {
      throw problem(found("a size in bytes"), remedy);
    }
    double value = node.doubleValue();
    boolean whole = node.isIntegralNumber() ? node.canConvertToLong() : value == Math.rint(value);
    if (!whole || value < 0 || value > Long.MAX_VALUE) {
      throw problem("the size is " + node + ", not a number of bytes", remedy);
    }
    return node.longValue();
  }

  double seconds(String remedy) throws WorkflowException {
    double value = node.doubleValue();
    if (!node.isNumber() || !Double.isFinite(value) || value < 0) {
      throw problem(found("a number of seconds, 0 or more"), remedy);
    }
    return value;
  }

  /** Builds a value whose constructor may reject its components. */
  <T> T build(Supplier<T> supplier, String remedy) throws WorkflowException {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(file, pointer, String.valueOf(e.getMessage()), remedy, e);
    }
  }

  /** Describes the node, as a clause with the expected kind of value. */
  String found(String expected) {
    if (node.isMissingNode()) {
      return "missing, where " + expected + " is expected";
    }
    String text = node.toString();
    return (text.length() > 40 ? text.substring(0, 40) + "..." : text)
        + " is found where "
        + expected
        + " is expected";
  }
}
