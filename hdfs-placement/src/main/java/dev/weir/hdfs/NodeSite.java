package dev.weir.hdfs;

import dev.weir.hdfs.placement.Site;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Adapts a NameNode's DataNode to {@link Site}.
 *
 * @param node the DataNode
 * @param rack its rack as the placement policy sees it
 */
public record NodeSite(DatanodeDescriptor node, String rack) implements Site {

  @Override
  public String host() {
    return node.getHostName();
  }

  @Override
  public int port() {
    return node.getXferPort();
  }
}
