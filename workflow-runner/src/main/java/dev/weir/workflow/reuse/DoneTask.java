package dev.weir.workflow.reuse;

import dev.weir.workflow.record.FileRecord;
import java.util.List;

/**
 * A task that a run has done.
 *
 * @param key what it did
 * @param task its id there
 * @param run id of the run
 * @param firstTry whether its first attempt succeeded
 * @param outputs what it made, each with a checksum
 */
record DoneTask(String key, String task, String run, boolean firstTry, List<FileRecord> outputs) {

  DoneTask {
    outputs = List.copyOf(outputs);
  }
}
