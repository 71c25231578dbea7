package dev.weir.cluster.host;

/**
 * The traffic over the link of a node since the cluster started, as the counters of its interface
 * report it. It includes packet headers. It excludes what the node sends to itself.
 *
 * @param sent bytes from the node
 * @param received bytes to the node
 */
public record LinkTraffic(long sent, long received) {}
