package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;

/**
 * A run that a series has.
 *
 * @param turn identifies the run
 * @param record the record of its tasks
 * @param notes its other measurements
 */
public record RecordedRun(PlannedRun turn, RunRecord record, RunNotes notes) {}
