package dev.weir.service.locate;

import java.util.List;

/**
 * A block of a file.
 *
 * @param offset where in the file it begins
 * @param length its bytes
 * @param share how many of them each replica has: all, or its stripe of them
 * @param replicas the whole ones
 */
public record FileBlock(long offset, long length, long share, List<Replica> replicas) {
  /** Copies the list. */
  public FileBlock {
    replicas = List.copyOf(replicas);
  }

  /** Whether one of the replicas is that DataNode's. */
  boolean isOn(DataNode node) {
    return replicas.stream()
        .anyMatch(one -> one.port() == node.port() && one.host().equals(node.host()));
  }
}
