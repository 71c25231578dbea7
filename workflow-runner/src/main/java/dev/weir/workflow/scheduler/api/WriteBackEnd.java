package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.record.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * The end of the copy of a file from the store of a node to HDFS.
 *
 * @param nodeMillis when the store got the file, in milliseconds since the epoch
 * @param copy the copy, with the id of the file; null if there is none
 * @param problem why there is none; empty if there is one
 * @param gone whether there is none because the store does not have the file unaltered
 * @param refused whether there is none because HDFS refuses it permanently
 */
public record WriteBackEnd(
    long nodeMillis, @Nullable StoredFile copy, String problem, boolean gone, boolean refused) {}
