package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;

/**
 * A run that a series has.
 *
 * @param turn which
 * @param record what its tasks did
 * @param notes what is known of it besides
 */
public record KeptRun(Turn turn, RunRecord record, Notes notes) {}
