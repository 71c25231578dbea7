package dev.weir.workflow.jx;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names. The variable of a {@code for} hides outer names. A definition is evaluated where
 * it is used, so it may use other definitions and those variables.
 *
 * @param variable name of the variable of the innermost {@code for}; empty for none
 * @param value its value; null for none
 * @param outer the enclosing scope; null for none
 */
record Scope(
    Map<String, Expression> definitions,
    String variable,
    @Nullable Value value,
    @Nullable Scope outer) {

  static Scope of(Map<String, Expression> definitions) {
    return new Scope(definitions, "", null, null);
  }

  Scope with(String name, Value newValue) {
    return new Scope(definitions, name, newValue, this);
  }

  /** Returns the value of a variable; null if there is none. */
  @Nullable Value variable(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      if (scope.value != null && scope.variable.equals(name)) {
        return scope.value;
      }
    }
    return null;
  }

  /** Returns the expression of a definition; null if there is none. */
  @Nullable Expression definition(String name) {
    return definitions.get(name);
  }
}
