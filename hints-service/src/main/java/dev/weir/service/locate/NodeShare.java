package dev.weir.service.locate;

import java.util.Comparator;

/**
 * How much of something a node has.
 *
 * @param host its name
 * @param rack its rack
 * @param bytes bytes on its disks
 * @param cachedBytes those of them that are in its memory too
 */
public record NodeShare(String host, String rack, long bytes, long cachedBytes) {
  /** Most bytes first, then most in memory, then by name. */
  public static final Comparator<NodeShare> BEST_FIRST =
      Comparator.comparingLong(NodeShare::bytes)
          .thenComparingLong(NodeShare::cachedBytes)
          .reversed()
          .thenComparing(NodeShare::host);
}
