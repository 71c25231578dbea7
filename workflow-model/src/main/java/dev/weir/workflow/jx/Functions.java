package dev.weir.workflow.jx;

import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Call;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The functions of JX. {@code listdir} and {@code fetch}, which read external data, are refused.
 */
final class Functions {

  static final String NAMES =
      "range, format, template, join, len, ceil, floor, basename, dirname, escape, keys, values,"
          + " items, like, select, where, project, schema";

  private final WorkflowSource source;
  private final Evaluator evaluator;
  private final Strings strings;

  Functions(WorkflowSource source, Evaluator evaluator) {
    this.source = source;
    this.evaluator = evaluator;
    this.strings = new Strings(source);
  }

  Value call(Call call, Scope scope) throws WorkflowException {
    return switch (call.function()) {
      case "select", "where", "project" -> query(call, scope);
      case "listdir", "fetch" ->
          throw source.problem(
              call.place(),
              call.function() + "() reads something outside of the workflow",
              "write its result into the workflow: a workflow must not depend on its reader's"
                  + " environment");
      default -> onValues(call, scope);
    };
  }

  private Value onValues(Call call, Scope scope) throws WorkflowException {
    List<Value> values = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      values.add(evaluator.evaluate(argument, scope));
    }
    Arguments arguments = new Arguments(source, call, values);
    return switch (call.function()) {
      case "range" -> range(arguments);
      case "format" -> strings.format(arguments);
      case "template" -> strings.template(arguments, name -> definition(name, scope));
      case "join" -> strings.join(arguments);
      case "basename" -> strings.basename(arguments);
      case "dirname" -> strings.dirname(arguments);
      case "escape" -> strings.escape(arguments);
      case "len" -> length(arguments);
      case "ceil", "floor" -> rounded(arguments);
      case "keys" -> keys(arguments);
      case "values" -> values(arguments);
      case "items" -> items(arguments);
      case "like" -> like(arguments);
      case "schema" -> schema(arguments);
      default ->
          throw source.problem(
              call.place(), "there is no function '" + call.function() + "'", "use: " + NAMES);
    };
  }

  private Strings.Found definition(String name, Scope scope) throws WorkflowException {
    boolean known = scope.variable(name) != null || scope.definition(name) != null;
    return new Strings.Found(
        known
            ? evaluator.evaluate(
                new Expression.Symbol(name, dev.weir.workflow.format.TextPlace.START), scope)
            : null);
  }

  private Value range(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 3);
    long start = arguments.count() == 1 ? 0 : arguments.whole(0);
    long stop = arguments.whole(arguments.count() == 1 ? 0 : 1);
    long step = arguments.count() == 3 ? arguments.whole(2) : 1;
    if (step == 0) {
      throw arguments.problem("a range with the step 0 is infinite", "give another step");
    }
    double count = Math.ceil(((double) stop - start) / step);
    long size = count <= 0 ? 0 : (long) Math.min(count, Long.MAX_VALUE);
    evaluator.count(size, arguments.place());
    List<Value> values = new ArrayList<>((int) size);
    for (long i = 0; i < size; i++) {
      values.add(new Value.Whole(start + i * step, arguments.place()));
    }
    return new Value.Array(values, arguments.place());
  }

  private static Value length(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    return new Value.Whole(arguments.array(0).values().size(), arguments.place());
  }

  private static Value rounded(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    Value value = arguments.get(0);
    if (value instanceof Value.Real real) {
      boolean up = arguments.function().equals("ceil");
      double number = real.number();
      return new Value.Real(up ? Math.ceil(number) : Math.floor(number), arguments.place());
    }
    return new Value.Whole(arguments.whole(0), arguments.place());
  }

  private static Value keys(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    List<Value> keys = new ArrayList<>();
    arguments.table(0).values().keySet().forEach(key -> keys.add(arguments.text(key)));
    return new Value.Array(keys, arguments.place());
  }

  private static Value values(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    return new Value.Array(List.copyOf(arguments.table(0).values().values()), arguments.place());
  }

  private static Value items(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    List<Value> items = new ArrayList<>();
    arguments
        .table(0)
        .values()
        .forEach(
            (key, value) ->
                items.add(new Value.Array(List.of(arguments.text(key), value), arguments.place())));
    return new Value.Array(items, arguments.place());
  }

  private static Value like(Arguments arguments) throws WorkflowException {
    arguments.requireCount(2, 2);
    String regex = arguments.string(1);
    try {
      boolean matches = Pattern.compile(regex).matcher(arguments.string(0)).lookingAt();
      return new Value.Bool(matches, arguments.place());
    } catch (PatternSyntaxException e) {
      throw arguments.problem(
          "'" + regex + "' is not a regular expression (" + e.getDescription() + ")", "correct it");
    }
  }

  private static Value schema(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    Map<String, Value> kinds = new LinkedHashMap<>();
    arguments
        .table(0)
        .values()
        .forEach((key, value) -> kinds.put(key, arguments.text(schemaName(value))));
    return new Value.Table(kinds, arguments.place());
  }

  private static String schemaName(Value value) {
    if (value instanceof Value.Text) {
      return "string";
    }
    if (value instanceof Value.Whole) {
      return "integer";
    }
    if (value instanceof Value.Real) {
      return "float";
    }
    if (value instanceof Value.Bool) {
      return "boolean";
    }
    if (value instanceof Value.Array) {
      return "array";
    }
    return value instanceof Value.Table ? "object" : "null";
  }

  /**
   * Evaluates the last argument for each object of a list. The object's keys are variables in it.
   */
  private Value query(Call call, Scope scope) throws WorkflowException {
    Arguments arguments =
        new Arguments(
            source,
            call,
            call.arguments().isEmpty()
                ? List.of()
                : List.of(evaluator.evaluate(call.arguments().get(0), scope)));
    if (call.arguments().size() != 2) {
      throw arguments.problem(call.function() + "() takes a list and an expression", "give both");
    }
    Expression expression = call.arguments().get(1);
    List<Value> values = new ArrayList<>();
    for (Value value : arguments.array(0).values()) {
      Scope inner = scope;
      if (value instanceof Value.Table table) {
        for (Map.Entry<String, Value> entry : table.values().entrySet()) {
          inner = inner.with(entry.getKey(), entry.getValue());
        }
      }
      Value result = evaluator.evaluate(expression, inner);
      if (call.function().equals("project")) {
        values.add(result);
      } else if (evaluator.truth(result, expression.place())) {
        values.add(value);
      }
    }
    return new Value.Array(values, call.place());
  }
}
