package dev.weir.service.locate.files;

import dev.weir.service.locate.nodes.DataNode;
import java.util.List;

/**
 * A block of a file.
 *
 * @param length the length in bytes
 * @param share the bytes that each replica has: the whole block, or its stripe
 * @param replicas the complete replicas
 */
public record FileBlock(long offset, long length, long share, List<Replica> replicas) {
  public FileBlock {
    replicas = List.copyOf(replicas);
  }

  public boolean isOn(DataNode node) {
    return replicas.stream()
        .anyMatch(one -> one.port() == node.port() && one.host().equals(node.host()));
  }
}
