package dev.weir.workflow.scheduler;

/**
 * A file beside HDFS.
 *
 * @param node name of the node that keeps it, or is to
 * @param file its id
 */
record NodeFile(String node, String file) {}
