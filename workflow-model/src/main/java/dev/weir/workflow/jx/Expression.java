package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A JX expression before evaluation. Each part has its position in the file. */
sealed interface Expression {

  TextPlace place();

  /** A string, number, boolean or null. */
  record Constant(Value value) implements Expression {
    @Override
    public TextPlace place() {
      return value.place();
    }
  }

  /** A name, which is resolved in the scope. */
  record Symbol(String name, TextPlace place) implements Expression {}

  /** A list. */
  record Items(List<Item> items, TextPlace place) implements Expression {}

  /** An element of a list, or several elements if {@code for} follows. */
  record Item(Expression body, List<Loop> loops) {}

  /** A {@code for} with its condition. */
  record Loop(
      String variable, Expression elements, @Nullable Expression condition, TextPlace place) {}

  /** An object. */
  record Pairs(List<Pair> pairs, TextPlace place) implements Expression {

    /** Returns the value of a constant key; null if there is none. */
    @Nullable Expression find(String key) {
      for (Pair pair : pairs) {
        if (pair.key() instanceof Constant constant
            && constant.value() instanceof Value.Text text
            && text.text().equals(key)) {
          return pair.value();
        }
      }
      return null;
    }
  }

  /** A key and its value. */
  record Pair(Expression key, Expression value) {}

  /** {@code not}, {@code -} or {@code +} before an operand. */
  record Unary(String operator, Expression operand, TextPlace place) implements Expression {}

  /** An operator between two operands. Its position is that of the operator. */
  record Binary(String operator, Expression left, Expression right, TextPlace place)
      implements Expression {}

  /** {@code a[b]}. */
  record Lookup(Expression target, Expression key, TextPlace place) implements Expression {}

  /** {@code a[b:c]}. */
  record Slice(
      Expression target, @Nullable Expression from, @Nullable Expression to, TextPlace place)
      implements Expression {}

  /** A function with its arguments. */
  record Call(String function, List<Expression> arguments, TextPlace place) implements Expression {}
}
