package dev.weir.service.locate.files;

/**
 * A replica of a block.
 *
 * @param host the host name of its DataNode
 * @param port the port that the DataNode serves blocks on
 * @param rack the path of its rack in the topology
 * @param cached whether it is in the DataNode's memory
 */
public record Replica(String host, int port, String rack, boolean cached) {}
