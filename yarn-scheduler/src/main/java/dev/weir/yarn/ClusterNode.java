package dev.weir.yarn;

/** A NodeManager as the scheduler names it: the resource name of the node and that of its rack. */
record ClusterNode(String name, String rack) {}
