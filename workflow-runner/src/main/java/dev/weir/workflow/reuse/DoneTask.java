package dev.weir.workflow.reuse;

import dev.weir.workflow.record.FileRecord;
import java.util.List;

/**
 * A task that a run has done.
 *
 * @param key key of its inputs and command
 * @param firstTry whether its first attempt succeeded
 * @param outputs the files that it wrote, each with a checksum
 */
record DoneTask(String key, String task, String run, boolean firstTry, List<FileRecord> outputs) {

  DoneTask {
    outputs = List.copyOf(outputs);
  }
}
