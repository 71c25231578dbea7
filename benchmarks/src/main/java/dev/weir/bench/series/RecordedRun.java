package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;

/**
 * A run that a series has.
 *
 * @param id identifies the run
 * @param record the record of its tasks
 * @param notes its other measurements
 */
public record RecordedRun(PlannedRun id, RunRecord record, RunNotes notes) {}
