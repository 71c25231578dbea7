package dev.weir.hdfs.placement;

import java.time.Duration;

/**
 * Lazy files whose copies HDFS has not made in time.
 *
 * @param files their number
 * @param oldest how long ago the last block of the oldest was placed
 */
public record OverdueCopies(long files, Duration oldest) {
  static final OverdueCopies NONE = new OverdueCopies(0, Duration.ZERO);
}
