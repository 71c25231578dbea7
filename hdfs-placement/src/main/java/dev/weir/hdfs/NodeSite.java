package dev.weir.hdfs;

import dev.weir.hdfs.placement.Site;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Adapts a NameNode's DataNode to {@link Site}.
 *
 * @param node the DataNode
 */
public record NodeSite(DatanodeDescriptor node) implements Site {

  @Override
  public String host() {
    return node.getHostName();
  }

  @Override
  public int port() {
    return node.getXferPort();
  }

  @Override
  public String rack() {
    return node.getNetworkLocation();
  }
}
