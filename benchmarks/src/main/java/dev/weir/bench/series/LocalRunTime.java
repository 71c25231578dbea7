package dev.weir.bench.series;

/**
 * The time of a workflow's commands on this machine without Hadoop.
 *
 * @param repeat the repetition beside which it was measured, from 1
 * @param session the session, from 1
 * @param seconds the duration
 */
public record LocalRunTime(int repeat, int session, double seconds) {}
