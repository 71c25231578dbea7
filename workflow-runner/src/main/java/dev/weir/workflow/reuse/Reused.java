package dev.weir.workflow.reuse;

import dev.weir.workflow.record.StoredFile;
import java.util.List;

/**
 * A task that need not be run.
 *
 * @param task its id
 * @param run id of the run that has done it
 * @param firstTry whether its first attempt succeeded there
 * @param outputs what it made; those that are gone and that nobody needs are on no host
 */
public record Reused(String task, String run, boolean firstTry, List<StoredFile> outputs) {

  /** Copies. */
  public Reused {
    outputs = List.copyOf(outputs);
  }
}
