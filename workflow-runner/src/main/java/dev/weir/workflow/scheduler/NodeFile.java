package dev.weir.workflow.scheduler;

/**
 * A file in the cache of a node.
 *
 * @param node name of the node
 * @param file id of the file
 */
record NodeFile(String node, String file) {}
