package dev.weir.workflow.scheduler;

/**
 * Totals of copies ahead.
 *
 * @param bytes how many bytes were copied
 * @param usedBytes how many of them a task of the node has read; the others were copied in vain
 */
public record CopyAheadTotals(long bytes, long usedBytes) {}
