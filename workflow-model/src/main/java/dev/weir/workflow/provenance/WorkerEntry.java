package dev.weir.workflow.provenance;

import dev.weir.workflow.record.WorkerRecord;
import java.time.Instant;

/**
 * A worker of a run.
 *
 * @param id unique in the run
 * @param started time at which it registered
 * @param ended time at which it ended or was given up
 */
public record WorkerEntry(String id, String node, String rack, Instant started, Instant ended) {

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a component is missing
   */
  public WorkerEntry {
    ValueChecks.require("id of a worker", id, ValueChecks.WORD);
    ValueChecks.require("node", node, ValueChecks.WORD);
    ValueChecks.require("rack", rack, ValueChecks.NAME);
    ValueChecks.requirePresent("started", started);
    ValueChecks.requirePresent("ended", ended);
  }

  /** Converts a worker of a run record. */
  public static WorkerEntry of(WorkerRecord record) {
    return new WorkerEntry(
        record.id(), record.node(), record.rack(), record.started(), record.ended());
  }
}
