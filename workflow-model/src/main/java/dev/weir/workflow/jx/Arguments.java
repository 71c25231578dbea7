package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Call;
import dev.weir.workflow.model.WorkflowException;
import java.util.List;

/**
 * The arguments of a call.
 *
 * @param values the arguments, evaluated
 */
record Arguments(WorkflowSource source, Call call, List<Value> values) {

  String function() {
    return call.function();
  }

  TextPlace place() {
    return call.place();
  }

  int count() {
    return values.size();
  }

  Value get(int index) {
    return values.get(index);
  }

  Value.Text text(String text) {
    return new Value.Text(text, place());
  }

  WorkflowException problem(String problem, String remedy) {
    return source.problem(place(), problem, remedy);
  }

  void requireCount(int least, int most) throws WorkflowException {
    if (count() < least || count() > most) {
      String expected = least == most ? "" + least : least + " to " + most;
      throw problem(
          function() + "() has " + count() + " arguments", "give it " + expected + " of them");
    }
  }

  String string(int index) throws WorkflowException {
    if (get(index) instanceof Value.Text text) {
      return text.text();
    }
    throw wrong(index, "a string");
  }

  long whole(int index) throws WorkflowException {
    if (get(index) instanceof Value.Whole whole) {
      return whole.number();
    }
    throw wrong(index, "an integer");
  }

  Value.Array array(int index) throws WorkflowException {
    if (get(index) instanceof Value.Array array) {
      return array;
    }
    throw wrong(index, "a list");
  }

  Value.Table table(int index) throws WorkflowException {
    if (get(index) instanceof Value.Table table) {
      return table;
    }
    throw wrong(index, "an object");
  }

  private WorkflowException wrong(int index, String expected) {
    return problem(
        "argument " + (index + 1) + " of " + function() + "() is " + get(index).kind(),
        "give it " + expected);
  }
}
