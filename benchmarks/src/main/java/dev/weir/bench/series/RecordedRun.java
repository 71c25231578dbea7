package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;
import java.util.Optional;

/**
 * A run that a series has.
 *
 * @param id identifies the run
 * @param record the record of its tasks
 * @param notes its other measurements
 */
public record RecordedRun(PlannedRun id, RunRecord record, RunNotes notes) implements SeriesRun {
  @Override
  public int session() {
    return notes.session();
  }

  @Override
  public Optional<RunRecord> timeline() {
    return Optional.of(record);
  }
}
