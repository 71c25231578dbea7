package dev.weir.workflow.provenance;

import dev.weir.workflow.model.FileIds;

/**
 * A file of a run.
 *
 * @param id its path relative to the run's data directory
 * @param bytes its size as the workflow declares it; 0 if undeclared
 */
public record FileEntry(String id, long bytes) {

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the id is not normalized or the size is negative
   */
  public FileEntry {
    requireId(id);
    ValueChecks.requireCount("bytes", bytes);
  }

  static void requireId(String id) {
    ValueChecks.require("id of a file", id, ValueChecks.PATH);
    if (!FileIds.normalize(id).equals(id)) {
      throw new IllegalArgumentException(
          "the file id '" + id + "' is not normalized; write " + FileIds.normalize(id));
    }
  }
}
