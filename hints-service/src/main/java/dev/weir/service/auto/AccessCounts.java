package dev.weir.service.auto;

import dev.weir.hdfs.placement.StableHash;
import java.util.HashMap;
import java.util.Map;

/** Decayed counts of accesses to files, by the hash of their paths. Immutable. */
public final class AccessCounts {
  public static final AccessCounts NONE = new AccessCounts(Map.of());

  private static final Count ZERO = new Count(0, 0);

  private final Map<Long, Count> counts;

  /**
   * The accesses to one file.
   *
   * @param reads the decayed number of opens
   * @param writes the decayed number of writes
   */
  public record Count(double reads, double writes) {
    Count plus(Count other) {
      return new Count(reads + other.reads, writes + other.writes);
    }
  }

  private AccessCounts(Map<Long, Count> counts) {
    this.counts = counts;
  }

  static AccessCounts ofHashes(Map<Long, Count> counts) {
    return new AccessCounts(Map.copyOf(counts));
  }

  public static AccessCounts ofPaths(Map<String, Count> counts) {
    Map<Long, Count> hashed = new HashMap<>();
    counts.forEach((path, count) -> hashed.put(StableHash.of(path), count));
    return new AccessCounts(hashed);
  }

  /** Returns the count of a path, which is 0 if it is not known. */
  public Count of(String path) {
    return counts.getOrDefault(StableHash.of(path), ZERO);
  }

  AccessCounts decayed(double factor) {
    Map<Long, Count> decayed = new HashMap<>();
    counts.forEach(
        (hash, count) -> {
          Count less = new Count(count.reads() * factor, count.writes() * factor);
          if (less.reads() + less.writes() >= 0.01) {
            decayed.put(hash, less);
          }
        });
    return new AccessCounts(decayed);
  }

  AccessCounts plus(AccessCounts other) {
    Map<Long, Count> sum = new HashMap<>(counts);
    other.counts.forEach((hash, count) -> sum.merge(hash, count, Count::plus));
    return new AccessCounts(sum);
  }
}
