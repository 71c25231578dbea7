package dev.weir.cluster;

/**
 * What has gone over the link of a node since the cluster began, by the counters of its interface:
 * what is sent to the node itself is not in it, headers of packets are.
 *
 * @param sent bytes from the node
 * @param received bytes to the node
 */
public record LinkTraffic(long sent, long received) {}
