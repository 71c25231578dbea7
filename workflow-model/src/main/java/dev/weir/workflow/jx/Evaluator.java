package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Binary;
import dev.weir.workflow.jx.Expression.Call;
import dev.weir.workflow.jx.Expression.Constant;
import dev.weir.workflow.jx.Expression.Item;
import dev.weir.workflow.jx.Expression.Items;
import dev.weir.workflow.jx.Expression.Lookup;
import dev.weir.workflow.jx.Expression.Loop;
import dev.weir.workflow.jx.Expression.Pair;
import dev.weir.workflow.jx.Expression.Pairs;
import dev.weir.workflow.jx.Expression.Slice;
import dev.weir.workflow.jx.Expression.Symbol;
import dev.weir.workflow.jx.Expression.Unary;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates JX expressions. Evaluation has no side effects and terminates, because the number of
 * values and the depth of definitions are bounded. Not thread-safe.
 */
final class Evaluator {

  /** The most values: more than any workflow needs, and fewer than fill a heap of 1 GB. */
  static final int MAX_VALUES = 5_000_000;

  private static final int MAX_DEPTH = 200;
  private static final int MAX_NESTING = 500;

  private final WorkflowSource source;
  private final int maxValues;
  private final Operators operators;
  private final Functions functions;
  private int valueCount;
  private int depth;
  private int nesting;

  Evaluator(WorkflowSource source) {
    this(source, MAX_VALUES);
  }

  Evaluator(WorkflowSource source, int maxValues) {
    this.maxValues = maxValues;
    this.source = source;
    this.operators = new Operators(source);
    this.functions = new Functions(source, this);
  }

  Value evaluate(Expression expression, Scope scope) throws WorkflowException {
    count(1, expression.place());
    if (expression instanceof Constant constant) {
      return constant.value();
    }
    if (++nesting > MAX_NESTING) {
      throw source.problem(
          expression.place(),
          "the expression has more than " + MAX_NESTING + " nested parts",
          "use join() on a list, or move parts of it to \"define\"");
    }
    Value value = compound(expression, scope);
    nesting--;
    return value;
  }

  private Value compound(Expression expression, Scope scope) throws WorkflowException {
    if (expression instanceof Symbol symbol) {
      return symbol(symbol, scope);
    }
    if (expression instanceof Items items) {
      return items(items, scope);
    }
    if (expression instanceof Pairs pairs) {
      return pairs(pairs, scope);
    }
    if (expression instanceof Unary unary) {
      return operators.unary(unary, evaluate(unary.operand(), scope));
    }
    if (expression instanceof Binary binary) {
      Value left = evaluate(binary.left(), scope);
      return operators.binary(binary, left, evaluate(binary.right(), scope));
    }
    if (expression instanceof Lookup lookup) {
      Value target = evaluate(lookup.target(), scope);
      return operators.lookup(target, evaluate(lookup.key(), scope), lookup.place());
    }
    if (expression instanceof Slice slice) {
      return slice(slice, scope);
    }
    return functions.call((Call) expression, scope);
  }

  /** Counts values before they are created. */
  void count(long values, TextPlace place) throws WorkflowException {
    if (values > maxValues - valueCount) {
      throw source.problem(
          place,
          "the workflow evaluates to more than " + maxValues + " values",
          "check the ranges of its loops, or split the workflow");
    }
    valueCount += (int) values;
  }

  private Value symbol(Symbol symbol, Scope scope) throws WorkflowException {
    Value variable = scope.variable(symbol.name());
    if (variable != null) {
      return variable;
    }
    Expression definition = scope.definition(symbol.name());
    if (definition == null) {
      throw source.problem(
          symbol.place(),
          "'" + symbol.name() + "' is not defined",
          "define it under \"define\", or put a string in double quotes");
    }
    if (++depth > MAX_DEPTH) {
      throw source.problem(
          symbol.place(),
          "'" + symbol.name() + "' is defined by itself",
          "give it a value that does not need it");
    }
    Value value = evaluate(definition, scope);
    depth--;
    return value;
  }

  private Value items(Items items, Scope scope) throws WorkflowException {
    List<Value> values = new ArrayList<>();
    for (Item item : items.items()) {
      loop(item, 0, scope, values);
    }
    return new Value.Array(values, items.place());
  }

  private void loop(Item item, int loopIndex, Scope scope, List<Value> values)
      throws WorkflowException {
    if (loopIndex == item.loops().size()) {
      values.add(evaluate(item.body(), scope));
      return;
    }
    Loop loop = item.loops().get(loopIndex);
    Value elements = evaluate(loop.elements(), scope);
    if (!(elements instanceof Value.Array array)) {
      throw source.problem(
          loop.elements().place(),
          "'for' iterates over a list, and this is " + elements.kind(),
          "put it into brackets, or use range()");
    }
    for (Value element : array.values()) {
      Scope inner = scope.with(loop.variable(), element);
      if (holds(loop.condition(), inner)) {
        loop(item, loopIndex + 1, inner, values);
      }
    }
  }

  private boolean holds(@Nullable Expression condition, Scope scope) throws WorkflowException {
    if (condition == null) {
      return true;
    }
    return truth(evaluate(condition, scope), condition.place());
  }

  boolean truth(Value value, TextPlace place) throws WorkflowException {
    if (value instanceof Value.Bool bool) {
      return bool.truth();
    }
    throw source.problem(
        place, "a condition is true or false, and this is " + value.kind(), "compare it");
  }

  private Value pairs(Pairs pairs, Scope scope) throws WorkflowException {
    Map<String, Value> values = new LinkedHashMap<>();
    for (Pair pair : pairs.pairs()) {
      Value key = evaluate(pair.key(), scope);
      if (!(key instanceof Value.Text text)) {
        throw source.problem(
            pair.key().place(),
            "a key is a string, and this is " + key.kind(),
            "put it into double quotes");
      }
      if (values.put(text.text(), evaluate(pair.value(), scope)) != null) {
        throw source.problem(
            pair.key().place(),
            "the key \"" + text.text() + "\" occurs twice",
            "keep one of the two");
      }
    }
    return new Value.Table(values, pairs.place());
  }

  private Value slice(Slice slice, Scope scope) throws WorkflowException {
    Value target = evaluate(slice.target(), scope);
    if (!(target instanceof Value.Array array)) {
      throw source.problem(
          slice.place(), "only lists have slices, and this is " + target.kind(), "slice a list");
    }
    int size = array.values().size();
    int from = bound(slice.from(), 0, size, scope);
    int to = bound(slice.to(), size, size, scope);
    return new Value.Array(from < to ? array.values().subList(from, to) : List.of(), slice.place());
  }

  private int bound(@Nullable Expression expression, int otherwise, int size, Scope scope)
      throws WorkflowException {
    if (expression == null) {
      return otherwise;
    }
    Value value = evaluate(expression, scope);
    if (!(value instanceof Value.Whole whole)) {
      throw source.problem(
          expression.place(),
          "the bounds of a slice are integers, and this is " + value.kind(),
          "write an integer");
    }
    long index = whole.number() < 0 ? whole.number() + size : whole.number();
    return (int) Math.max(0, Math.min(size, index));
  }
}
