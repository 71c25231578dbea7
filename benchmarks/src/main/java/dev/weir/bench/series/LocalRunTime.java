package dev.weir.bench.series;

/**
 * What the machine took for a workflow's commands without Hadoop.
 *
 * @param repeat beside which repetition it was measured, from 1
 * @param session in which, from 1
 * @param seconds how long
 */
public record LocalRunTime(int repeat, int session, double seconds) {}
