package dev.weir.workflow.jx;

import static java.util.stream.Collectors.joining;

import dev.weir.workflow.format.TextPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A value of JX. It has a position in the file, which comparisons ignore. */
sealed interface Value {

  TextPlace place();

  /** Returns the kind of value, for messages. */
  String kind();

  record Text(String text, TextPlace place) implements Value {
    @Override
    public String kind() {
      return "a string";
    }
  }

  record Whole(long number, TextPlace place) implements Value {
    @Override
    public String kind() {
      return "an integer";
    }
  }

  record Real(double number, TextPlace place) implements Value {
    @Override
    public String kind() {
      return "a floating point number";
    }
  }

  record Bool(boolean truth, TextPlace place) implements Value {
    @Override
    public String kind() {
      return "a boolean";
    }
  }

  record Nothing(TextPlace place) implements Value {
    @Override
    public String kind() {
      return "null";
    }
  }

  record Array(List<Value> values, TextPlace place) implements Value {
    public Array {
      values = List.copyOf(values);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  record Table(Map<String, Value> values, TextPlace place) implements Value {
    public Table {
      values = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    @Override
    public String kind() {
      return "an object";
    }
  }

  /** Returns whether it can be appended to a string. */
  default boolean isAtomic() {
    return !(this instanceof Array) && !(this instanceof Table);
  }

  /** Returns the text that is appended to a string. */
  default String shown() {
    if (this instanceof Text text) {
      return text.text();
    }
    if (this instanceof Whole whole) {
      return Long.toString(whole.number());
    }
    if (this instanceof Real real) {
      return Printf.g(real.number());
    }
    if (this instanceof Bool bool) {
      return Boolean.toString(bool.truth());
    }
    return this instanceof Nothing ? "null" : kind();
  }

  /** Returns the value as an expression of JX. */
  default String expression() {
    if (this instanceof Text text) {
      return '"' + text.text().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
    if (this instanceof Array array) {
      return array.values().stream().map(Value::expression).collect(joining(",", "[", "]"));
    }
    if (this instanceof Table table) {
      return table.values().entrySet().stream()
          .map(
              entry ->
                  new Text(entry.getKey(), place()).expression()
                      + ":"
                      + entry.getValue().expression())
          .collect(joining(",", "{", "}"));
    }
    return this instanceof Real real ? Double.toString(real.number()) : shown();
  }

  /** Returns whether two values are equal. Values of different kinds differ, except numbers. */
  static boolean same(Value left, Value right) {
    if (left instanceof Whole a && right instanceof Whole b) {
      return a.number() == b.number();
    }
    if (isNumber(left) && isNumber(right)) {
      return number(left) == number(right);
    }
    if (left instanceof Text a && right instanceof Text b) {
      return a.text().equals(b.text());
    }
    if (left instanceof Bool a && right instanceof Bool b) {
      return a.truth() == b.truth();
    }
    if (left instanceof Array a && right instanceof Array b) {
      return a.values().size() == b.values().size()
          && java.util.stream.IntStream.range(0, a.values().size())
              .allMatch(i -> same(a.values().get(i), b.values().get(i)));
    }
    if (left instanceof Table a && right instanceof Table b) {
      return a.values().keySet().equals(b.values().keySet())
          && a.values().entrySet().stream()
              .allMatch(
                  entry -> {
                    Value other = b.values().get(entry.getKey());
                    return other != null && same(entry.getValue(), other);
                  });
    }
    return left instanceof Nothing && right instanceof Nothing;
  }

  static boolean isNumber(Value value) {
    return value instanceof Whole || value instanceof Real;
  }

  static double number(Value value) {
    return value instanceof Whole whole ? whole.number() : ((Real) value).number();
  }

  /** Formats numbers like C's printf, where Java differs. */
  final class Printf {
    private static final int PRECISION = 6;

    private Printf() {}

    static String g(double number) {
      if (number == 0 || Double.isNaN(number) || Double.isInfinite(number)) {
        return number == 0 ? "0" : Double.toString(number);
      }
      String scientific = e(number);
      int exponent = Integer.parseInt(scientific.substring(scientific.indexOf('e') + 1));
      if (exponent < -4 || exponent >= PRECISION) {
        String shorter = String.format(Locale.ROOT, "%." + (PRECISION - 1) + "e", number);
        int mark = shorter.indexOf('e');
        return withoutZeros(shorter.substring(0, mark)) + shorter.substring(mark);
      }
      return withoutZeros(
          String.format(Locale.ROOT, "%." + (PRECISION - 1 - exponent) + "f", number));
    }

    static String e(double number) {
      return String.format(Locale.ROOT, "%." + (PRECISION - 1) + "e", number);
    }

    private static String withoutZeros(String digits) {
      return digits.contains(".") ? digits.replaceAll("0+$", "").replaceAll("\\.$", "") : digits;
    }
  }
}
