package dev.weir.bench.series;

/**
 * A run that failed and so has no times. It may have succeeded later.
 *
 * @param reason why, as text
 */
public record FailedRun(PlannedRun id, String reason) {}
