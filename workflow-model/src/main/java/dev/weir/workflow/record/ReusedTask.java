package dev.weir.workflow.record;

import java.util.List;

/**
 * A task that was not run because an earlier run had done it.
 *
 * @param outputs the files that it wrote there
 */
public record ReusedTask(String task, String type, String run, List<FileRecord> outputs) {

  /** Copies the list. */
  public ReusedTask {
    outputs = List.copyOf(outputs);
  }
}
