package dev.weir.workflow.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A node of a JSON tree with its file and its JSON pointer, which all error messages contain.
 * Unknown keys are ignored.
 *
 * @param node the node; a missing node if the key does not exist
 */
public record JsonPlace(JsonNode node, String file, String pointer) {

  public WorkflowException problem(String problem, String remedy) {
    return new WorkflowException(
        file, pointer.isEmpty() ? "/" : pointer, problem, remedy, /* cause= */ null);
  }

  public boolean has(String key) {
    return node.has(key);
  }

  /** Returns the value of a key. A missing value is a place too, so that it can be reported. */
  public JsonPlace at(String key) {
    return new JsonPlace(node.path(key), file, pointer + "/" + key);
  }

  public JsonPlace object(String key) throws WorkflowException {
    JsonPlace value = at(key);
    if (!value.node.isObject()) {
      throw value.problem(value.found("an object"), "write {...} here");
    }
    return value;
  }

  /** Returns the object at a key, if the key exists. */
  public Optional<JsonPlace> optionalObject(String key) throws WorkflowException {
    return has(key) ? Optional.of(object(key)) : Optional.empty();
  }

  /** Returns the elements of the list at a key. */
  public List<JsonPlace> list(String key, String remedy) throws WorkflowException {
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

  /** Returns the elements of the list at a key; empty if the key does not exist. */
  public List<JsonPlace> optionalList(String key) throws WorkflowException {
    return has(key) ? list(key, "write [...] here or remove the key") : List.of();
  }

  /** Returns the string as it is. */
  public String string(String remedy) throws WorkflowException {
    if (!node.isTextual()) {
      throw problem(found("a string"), remedy);
    }
    return node.textValue();
  }

  /** Returns the string, which must be plain text. */
  public String text(String remedy) throws WorkflowException {
    return without(PlainText.problem(string(remedy)));
  }

  /** Returns the string, which must be usable as an argument of a program. */
  public String argument(String remedy) throws WorkflowException {
    return without(PlainText.problemAsArgument(text(remedy)));
  }

  private String without(Optional<String> problem) throws WorkflowException {
    if (problem.isPresent()) {
      throw problem("the string " + problem.get(), "remove it");
    }
    return node.textValue();
  }

  /** Returns the string, which must be plain text and not blank. */
  public String nonBlankText(String remedy) throws WorkflowException {
    String text = text(remedy);
    if (text.isBlank()) {
      throw problem("the string is blank", remedy);
    }
    return text;
  }

  public <T> T parsed(Function<String, T> parser) throws WorkflowException {
    String text = string("give a string");
    try {
      return parser.apply(text);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw problem("'" + text + "' does not parse", String.valueOf(e.getMessage()));
    }
  }

  public long integer() throws WorkflowException {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw problem(found("an integer of at most 64 bits"), "give one");
    }
    return node.longValue();
  }

  /** Returns the integer, which must fit 32 bits. */
  public int smallInteger() throws WorkflowException {
    long number = integer();
    if (number != (int) number) {
      throw problem(number + " does not fit 32 bits", "give a smaller number");
    }
    return (int) number;
  }

  /** Returns whether it is true. */
  public boolean bool() throws WorkflowException {
    if (!node.isBoolean()) {
      throw problem(found("true or false"), "give one of them");
    }
    return node.booleanValue();
  }

  /** Returns a number of bytes, which may be written as 5e3 or 12.0 too. */
  public long bytes(String remedy) throws WorkflowException {
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

  /** Returns a number of seconds, 0 or more. */
  public double seconds(String remedy) throws WorkflowException {
    double value = node.doubleValue();
    if (!node.isNumber() || !Double.isFinite(value) || value < 0) {
      throw problem(found("a number of seconds, 0 or more"), remedy);
    }
    return value;
  }

  /** Creates a value. An {@link IllegalArgumentException} of its checks is reported here. */
  public <T> T make(Supplier<T> maker, String remedy) throws WorkflowException {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(file, pointer, String.valueOf(e.getMessage()), remedy, e);
    }
  }

  /** Returns a clause about the node that was found in place of the expected one. */
  public String found(String expected) {
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
