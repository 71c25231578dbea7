package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;

/**
 * A run that a series has.
 *
 * @param turn which
 * @param record what its tasks did
 * @param notes what is known of it besides
 */
public record RecordedRun(PlannedRun turn, RunRecord record, RunNotes notes) {}
