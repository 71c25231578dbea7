package dev.weir.hdfs.gather;

import org.apache.hadoop.fs.Path;

/**
 * A committed gather.
 *
 * @param target the file
 * @param bytes its length
 * @param wasBefore whether it was committed before this call
 */
public record CommittedGather(Path target, long bytes, boolean wasBefore) {}
