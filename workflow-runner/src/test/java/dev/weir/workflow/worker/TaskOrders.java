package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import java.util.List;
import java.util.Map;

/** Orders of attempts that need one core and have no special settings. */
public final class TaskOrders {

  private TaskOrders() {}

  /** Returns the first attempt of a task whose shell runs a script. */
  public static TaskOrder shell(
      String task, List<FileSlot> inputs, List<FileSlot> outputs, String script) {
    return order(task, 1, "1-1", List.of("sh", "-c", script), inputs, outputs);
  }

  /** Returns an attempt that writes the file {@code /TASK.out}. */
  static TaskOrder making(String task, String script) {
    return shell(
        task, List.of(), List.of(new FileSlot(task + ".out", "/" + task + ".out", 0)), script);
  }

  /** Returns an attempt with only a name; its label is part of the names of its logs. */
  static TaskOrder labelled(String task, int attempt, String label) {
    return order(task, attempt, label, List.of("true"), List.of(), List.of());
  }

  /** Returns an attempt that joins the file {@code /TASK} from one region of one byte. */
  static TaskOrder joining(String task, String region) {
    return new TaskOrder(
        task,
        1,
        "1-1",
        List.of(),
        List.of(new FileSlot(region, "/" + region, 1, FileSlot.Kind.REGION, 0)),
        List.of(new FileSlot(task, "/" + task, 1)),
        Map.of(),
        false,
        0,
        ResourceNeeds.ONE_CORE,
        true,
        TaskOrder.NEVER,
        0,
        TaskOrder.NO_CONTAINER);
  }

  private static TaskOrder order(
      String task,
      int attempt,
      String label,
      List<String> command,
      List<FileSlot> inputs,
      List<FileSlot> outputs) {
    return new TaskOrder(
        task, attempt, label, command, inputs, outputs, Map.of(), false, 0, ResourceNeeds.ONE_CORE);
  }
}
