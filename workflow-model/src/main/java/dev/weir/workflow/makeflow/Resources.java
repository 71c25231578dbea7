package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.Megabytes;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the resources of a rule from the variables of a Makeflow. */
record Resources(WorkflowSource source, Variables variables) {

  TaskNeeds needs(RuleDraft rule) throws WorkflowException {
    return new TaskNeeds(
        (int) Math.min(Integer.MAX_VALUE, resource(rule, "CORES")),
        bytes(rule, "MEMORY"),
        bytes(rule, "DISK"),
        (long) resource(rule, "WALL_TIME"),
        false,
        "",
        TaskNeeds.gpus((long) resource(rule, "GPUS")));
  }

  private long bytes(RuleDraft rule, String name) throws WorkflowException {
    return Megabytes.toBytes(resource(rule, name))
        .orElseThrow(
            () ->
                source.problem(
                    rule.place,
                    name
                        + " is '"
                        + variables.findWritten(rule.reader(), name).orElse("")
                        + "' here, which is too large",
                    Megabytes.REMEDY));
  }

  /** Returns a resource, rounded up; 0 if it is not set or negative. */
  private double resource(RuleDraft rule, String name) throws WorkflowException {
    Optional<String> value = variables.findWritten(rule.reader(), name);
    if (value.isEmpty()) {
      return 0;
    }
    try {
      double number = Double.parseDouble(MakeflowReader.unquoted(value.get()).strip());
      if (!Double.isNaN(number)) {
        return Math.max(0, Math.ceil(number));
      }
    } catch (NumberFormatException e) {
      throw notANumber(rule, name, value.get(), e);
    }
    throw notANumber(rule, name, value.get(), /* cause= */ null);
  }

  private WorkflowException notANumber(
      RuleDraft rule, String name, String value, @Nullable Exception cause) {
    return new WorkflowException(
        source.name(),
        rule.place.toString(),
        name + " is '" + value + "' here, which is not a number",
        "give a number"
            + switch (name) {
              case "CORES" -> "";
              case "WALL_TIME" -> " of seconds";
              default -> " of MB";
            },
        cause);
  }
}
