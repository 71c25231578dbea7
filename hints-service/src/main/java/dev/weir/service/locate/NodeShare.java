package dev.weir.service.locate;

import java.util.Comparator;

/**
 * The amount of data that a node has.
 *
 * @param bytes bytes on its disks
 * @param cachedBytes how many of them are also in its memory
 */
public record NodeShare(String host, String rack, long bytes, long cachedBytes) {
  /** Most bytes first, then most in memory, then by name. */
  public static final Comparator<NodeShare> BEST_FIRST =
      Comparator.comparingLong(NodeShare::bytes)
          .thenComparingLong(NodeShare::cachedBytes)
          .reversed()
          .thenComparing(NodeShare::host);
}
