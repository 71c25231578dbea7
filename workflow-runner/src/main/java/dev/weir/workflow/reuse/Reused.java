package dev.weir.workflow.reuse;

import dev.weir.workflow.record.StoredFile;
import java.util.List;

/**
 * A task that is reused from an earlier run.
 *
 * @param firstTry whether its first attempt succeeded there
 * @param outputs the files that it wrote; files that are missing and not needed have no host
 */
public record Reused(String task, String run, boolean firstTry, List<StoredFile> outputs) {

  public Reused {
    outputs = List.copyOf(outputs);
  }
}
