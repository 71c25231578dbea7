package dev.weir.workflow.record;

import java.util.List;

/**
 * A task that was not run because an earlier run had done it.
 *
 * @param task id of the task
 * @param type its type
 * @param run id of the earlier run
 * @param outputs what it made there
 */
public record ReusedTask(String task, String type, String run, List<FileRecord> outputs) {

  /** Copies. */
  public ReusedTask {
    outputs = List.copyOf(outputs);
  }
}
