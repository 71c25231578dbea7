package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Binary;
import dev.weir.workflow.jx.Expression.Unary;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;

/** The operators of JX. Integers are converted if the other operand is a floating point number. */
final class Operators {

  private final WorkflowSource source;

  Operators(WorkflowSource source) {
    this.source = source;
  }

  Value unary(Unary unary, Value operand) throws WorkflowException {
    TextPlace place = unary.place();
    String operator = unary.operator();
    if (operator.equals("not") && operand instanceof Value.Bool bool) {
      return new Value.Bool(!bool.truth(), place);
    }
    if (operator.equals("-") && operand instanceof Value.Whole whole) {
      return new Value.Whole(-whole.number(), place);
    }
    if (operator.equals("-") && operand instanceof Value.Real real) {
      return new Value.Real(-real.number(), place);
    }
    if (operator.equals("+") && (Value.isNumber(operand) || operand instanceof Value.Text)) {
      return operand;
    }
    throw source.problem(
        place,
        "'" + unary.operator() + "' cannot be applied to " + operand.kind(),
        "give it a " + (unary.operator().equals("not") ? "boolean" : "number"));
  }

  Value binary(Binary binary, Value left, Value right) throws WorkflowException {
    TextPlace place = binary.place();
    return switch (binary.operator()) {
      case "==" -> new Value.Bool(Value.same(left, right), place);
      case "!=" -> new Value.Bool(!Value.same(left, right), place);
      case "and", "or" -> logic(binary, left, right);
      case "<", "<=", ">", ">=" ->
          new Value.Bool(holds(binary, compare(binary, left, right)), place);
      case "+" -> plus(binary, left, right);
      default -> arithmetic(binary, left, right);
    };
  }

  private Value logic(Binary binary, Value left, Value right) throws WorkflowException {
    if (left instanceof Value.Bool a && right instanceof Value.Bool b) {
      boolean and = binary.operator().equals("and");
      boolean result = and ? a.truth() && b.truth() : a.truth() || b.truth();
      return new Value.Bool(result, binary.place());
    }
    throw mismatch(binary, left, right, "compare them first: and, or take booleans");
  }

  private Value plus(Binary binary, Value left, Value right) throws WorkflowException {
    boolean text = left instanceof Value.Text || right instanceof Value.Text;
    if (text && left.isAtomic() && right.isAtomic()) {
      return new Value.Text(left.shown() + right.shown(), binary.place());
    }
    if (left instanceof Value.Array a && right instanceof Value.Array b) {
      List<Value> both = new ArrayList<>(a.values());
      both.addAll(b.values());
      return new Value.Array(both, binary.place());
    }
    return arithmetic(binary, left, right);
  }

  private static boolean holds(Binary binary, int order) {
    return switch (binary.operator()) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private int compare(Binary binary, Value left, Value right) throws WorkflowException {
    if (left instanceof Value.Text a && right instanceof Value.Text b) {
      return a.text().compareTo(b.text());
    }
    if (left instanceof Value.Whole a && right instanceof Value.Whole b) {
      return Long.compare(a.number(), b.number());
    }
    if (Value.isNumber(left) && Value.isNumber(right)) {
      return Double.compare(Value.number(left), Value.number(right));
    }
    throw mismatch(binary, left, right, "compare two numbers or two strings");
  }

  private Value arithmetic(Binary binary, Value left, Value right) throws WorkflowException {
    if (!Value.isNumber(left) || !Value.isNumber(right)) {
      throw mismatch(binary, left, right, "give it two numbers");
    }
    boolean divides = binary.operator().equals("/") || binary.operator().equals("%");
    if (divides && Value.number(right) == 0) {
      throw source.problem(binary.place(), "division by zero", "check the divisor first");
    }
    try {
      return left instanceof Value.Whole a && right instanceof Value.Whole b
          ? new Value.Whole(whole(binary.operator(), a.number(), b.number()), binary.place())
          : new Value.Real(
              real(binary.operator(), Value.number(left), Value.number(right)), binary.place());
    } catch (ArithmeticException e) {
      throw new WorkflowException(
          source.name(),
          binary.place().toString(),
          "the result of '" + binary.operator() + "' is out of range",
          "use smaller numbers",
          e);
    }
  }

  private static long whole(String operator, long a, long b) {
    return switch (operator) {
      case "+" -> Math.addExact(a, b);
      case "-" -> Math.subtractExact(a, b);
      case "*" -> Math.multiplyExact(a, b);
      case "/" -> a / b;
      default -> a % b;
    };
  }

  private static double real(String operator, double a, double b) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      default -> (long) a % (long) b;
    };
  }

  Value lookup(Value target, Value key, TextPlace place) throws WorkflowException {
    if (target instanceof Value.Table table && key instanceof Value.Text text) {
      Value value = table.values().get(text.text());
      if (value == null) {
        throw source.problem(
            place,
            "the object has no key \"" + text.text() + "\"",
            "use one that it has: " + String.join(", ", table.values().keySet()));
      }
      return value;
    }
    if (target instanceof Value.Array array && key instanceof Value.Whole whole) {
      int size = array.values().size();
      long index = whole.number() < 0 ? whole.number() + size : whole.number();
      if (index < 0 || index >= size) {
        throw source.problem(
            place,
            "the list has no element " + whole.number(),
            "it has " + size + ", and the first is 0");
      }
      return array.values().get((int) index);
    }
    throw source.problem(
        place,
        target.kind() + " cannot be indexed with " + key.kind(),
        "index a list with an integer, an object with a string");
  }

  private WorkflowException mismatch(Binary binary, Value left, Value right, String remedy) {
    return source.problem(
        binary.place(),
        "'" + binary.operator() + "' cannot combine " + left.kind() + " and " + right.kind(),
        remedy);
  }
}
