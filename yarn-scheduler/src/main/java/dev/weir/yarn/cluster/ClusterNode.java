package dev.weir.yarn.cluster;

/** A NodeManager as the scheduler names it: the resource name of the node and that of its rack. */
public record ClusterNode(String name, String rack) {}
