package dev.weir.workflow.scheduler;

/** A file in the cache of a node. */
record NodeFile(String node, String file) {}
