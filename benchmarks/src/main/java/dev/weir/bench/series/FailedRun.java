package dev.weir.bench.series;

/**
 * A run that failed, of which a series has no times; it may have been made after that.
 *
 * @param turn which
 * @param reason why, for people
 */
public record FailedRun(PlannedRun turn, String reason) {}
