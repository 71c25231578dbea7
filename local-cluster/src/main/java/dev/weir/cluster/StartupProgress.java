package dev.weir.cluster;

/**
 * How far the start of a cluster is.
 *
 * @param step what is being waited for, in a few words
 * @param done how much of it there is
 * @param total how much there will be
 */
public record StartupProgress(String step, int done, int total) {}
