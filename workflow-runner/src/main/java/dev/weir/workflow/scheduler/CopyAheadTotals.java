package dev.weir.workflow.scheduler;

/**
 * What was copied to nodes before tasks that read it were ready.
 *
 * @param bytes how many bytes
 * @param usedBytes how many of them a task of the node has read; the others were copied for nothing
 */
public record CopyAheadTotals(long bytes, long usedBytes) {}
