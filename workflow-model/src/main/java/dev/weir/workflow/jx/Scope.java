package dev.weir.workflow.jx;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What names stand for. The variable of a {@code for} hides what is outside; a definition is
 * evaluated where it is used, so it may name others and those variables.
 *
 * @param definitions expressions by name
 * @param variable name of the variable of the innermost {@code for}; empty for none
 * @param value its value; null for none
 * @param outer what is around it; null for none
 */
record Scope(
    Map<String, Expression> definitions,
    String variable,
    @Nullable Value value,
    @Nullable Scope outer) {

  static Scope of(Map<String, Expression> definitions) {
    return new Scope(definitions, "", null, null);
  }

  Scope with(String name, Value itsValue) {
    return new Scope(definitions, name, itsValue, this);
  }

  /** The value of a variable; null when it is none. */
  @Nullable Value variable(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      if (scope.value != null && scope.variable.equals(name)) {
        return scope.value;
      }
    }
    return null;
  }

  /** The expression of a definition; null when there is none. */
  @Nullable Expression definition(String name) {
    return definitions.get(name);
  }
}
