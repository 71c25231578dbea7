package dev.weir.cluster.plan;

/**
 * A host of the cluster.
 *
 * @param name {@code master}, or {@code n1} and so on; its host name in HDFS and YARN
 * @param address its IPv4 address, reachable from this machine
 * @param rack its rack, such as {@code /rack1}
 */
public record NodeInfo(String name, String address, String rack) {}
