package dev.weir.workflow.provenance;

import dev.weir.workflow.model.FileIds;

/**
 * A file of a run.
 *
 * @param id its name below the run's data directory
 * @param bytes its size as the workflow declares it; 0 when it does not
 */
public record FileEntry(String id, long bytes) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the id is no normal one or the size is negative
   */
  public FileEntry {
    requireId(id);
    ValueChecks.requireCount("bytes", bytes);
  }

  static void requireId(String id) {
    ValueChecks.require("id of a file", id, ValueChecks.PATH);
    if (!FileIds.normalize(id).equals(id)) {
      throw new IllegalArgumentException(
          "the file id '" + id + "' is not in its normal form; write " + FileIds.normalize(id));
    }
  }
}
