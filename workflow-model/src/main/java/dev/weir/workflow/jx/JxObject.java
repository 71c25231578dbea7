package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An evaluated object with typed access to its keys.
 *
 * @param what name of the object in messages, such as {@code a rule}
 */
record JxObject(WorkflowSource source, Value.Table table, String what) {

  static JxObject of(WorkflowSource source, Value value, String what) throws WorkflowException {
    if (value instanceof Value.Table table) {
      return new JxObject(source, table, what);
    }
    throw source.problem(
        value.place(), what + " is an object, and this is " + value.kind(), "write {...}");
  }

  TextPlace place() {
    return table.place();
  }

  Optional<Value> get(String key) {
    return Optional.ofNullable(table.values().get(key))
        .filter(value -> !(value instanceof Value.Nothing));
  }

  Optional<String> text(String key) throws WorkflowException {
    Optional<Value> value = get(key);
    if (value.isPresent() && !(value.get() instanceof Value.Text)) {
      throw wrong(key, value.get(), "a string");
    }
    return value.map(Value::shown);
  }

  long whole(String key) throws WorkflowException {
    Optional<Value> value = get(key);
    if (value.isEmpty()) {
      return 0;
    }
    if (value.get() instanceof Value.Whole whole && whole.number() >= 0) {
      return whole.number();
    }
    if (value.get() instanceof Value.Real real && real.number() >= 0) {
      return (long) Math.ceil(real.number());
    }
    throw wrong(key, value.get(), "a number, 0 or more");
  }

  List<Value> list(String key) throws WorkflowException {
    Optional<Value> value = get(key);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get() instanceof Value.Array array) {
      return array.values();
    }
    throw wrong(key, value.get(), "a list");
  }

  Optional<JxObject> object(String key) throws WorkflowException {
    Optional<Value> value = get(key);
    return value.isEmpty()
        ? Optional.empty()
        : Optional.of(of(source, value.get(), "\"" + key + "\" of " + what));
  }

  /** Returns an object of strings. Numbers are converted to text. */
  Map<String, String> strings(String key) throws WorkflowException {
    Map<String, String> strings = new LinkedHashMap<>();
    Optional<JxObject> object = object(key);
    if (object.isPresent()) {
      for (Map.Entry<String, Value> entry : object.get().table.values().entrySet()) {
        if (!entry.getValue().isAtomic()) {
          throw object.get().wrong(entry.getKey(), entry.getValue(), "a string");
        }
        strings.put(entry.getKey(), entry.getValue().shown());
      }
    }
    return strings;
  }

  WorkflowException wrong(String key, Value value, String expected) {
    return source.problem(
        value.place(),
        "\"" + key + "\" of " + what + " is " + value.kind(),
        "write " + expected + " here");
  }
}
