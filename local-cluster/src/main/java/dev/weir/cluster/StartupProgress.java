package dev.weir.cluster;

/**
 * The progress of a cluster's start.
 *
 * @param step what the start waits for, in a few words
 * @param done how much of the step is done
 * @param total the size of the step
 */
public record StartupProgress(String step, int done, int total) {}
