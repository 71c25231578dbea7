package dev.weir.hdfs.read;

import java.util.function.LongSupplier;

/**
 * What the streams of a file system share.
 *
 * @param config the settings
 * @param budget the memory and threads
 * @param clock in nanoseconds
 */
public record ReadContext(StripedReadConfig config, ChunkBudget budget, LongSupplier clock) {}
