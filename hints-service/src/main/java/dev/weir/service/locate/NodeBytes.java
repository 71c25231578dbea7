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
public record NodeBytes(String host, String rack, long bytes, long cachedBytes) {
  /** Most bytes first, then most in memory, then by name. */
  public static final Comparator<NodeBytes> BEST_FIRST =
      Comparator.comparingLong(NodeBytes::bytes)
          .thenComparingLong(NodeBytes::cachedBytes)
          .reversed()
          .thenComparing(NodeBytes::host);
}
