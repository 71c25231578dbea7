package dev.weir.yarn.cluster;

/** A NodeManager: the scheduler's resource names of the node and of its rack. */
public record ClusterNode(String name, String rack) {}
