package dev.weir.workflow.protocol;

/**
 * A file of a task: its name in the sandbox and its place in HDFS.
 *
 * @param name relative path in the sandbox
 * @param path absolute path in HDFS, without scheme
 * @param sizeBytes declared size in bytes; what a stand-in task writes
 */
public record FileSlot(String name, String path, long sizeBytes) {}
