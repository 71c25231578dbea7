package dev.weir.hdfs.read;

import static java.util.Objects.requireNonNull;

/**
 * A replica of a block.
 *
 * @param node the DataNode's UUID
 * @param rack its place in the network
 * @param isLocal whether the DataNode runs on the reader's host
 * @param load its xceiver count, as the NameNode knows it
 */
public record BlockReplica(String node, String rack, boolean isLocal, int load) {
  /** Checks that no value is missing. */
  public BlockReplica {
    requireNonNull(node, "node");
    requireNonNull(rack, "rack");
  }
}
