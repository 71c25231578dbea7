package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Sites;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Caches which DataNodes can take blocks of a size. Each is checked on demand and then not again
 * for {@value #MAX_AGE_MILLIS} ms, since a DataNode reports its free space only every few seconds.
 * A node that has become ineligible meanwhile is skipped at placement.
 */
@NullMarked
final class NodeEligibility {
  private static final long MAX_AGE_MILLIS = 1000;
  private static final long MAX_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(MAX_AGE_MILLIS);
  private static final int CACHE_SIZE = 16;

  private final LongSupplier nanoTime;
  private final AtomicReferenceArray<@Nullable Results> cache =
      new AtomicReferenceArray<>(CACHE_SIZE);

  NodeEligibility(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The cached results for blocks of a size on some storage types. */
  Results of(Sites<NodeSite> sites, long blockSize, Set<StorageType> types) {
    int slot = Math.floorMod(31 * Long.hashCode(blockSize) + types.hashCode(), CACHE_SIZE);
    Results present = cache.get(slot);
    long now = nanoTime.getAsLong();
    if (present != null
        && present.sites == sites
        && present.blockSize == blockSize
        && present.types.equals(types)
        && now - present.since < MAX_AGE_NANOS) {
      return present;
    }
    Results fresh = new Results(sites, blockSize, Set.copyOf(types), now);
    cache.set(slot, fresh);
    return fresh;
  }

  /** Thread-safe: each result is one byte, and concurrent checks find the same. */
  static final class Results {
    private static final byte ELIGIBLE = 1;
    private static final byte INELIGIBLE = 2;

    private final Sites<NodeSite> sites;
    private final long blockSize;
    private final Set<StorageType> types;
    private final long since;
    private final byte[] results;

    private Results(Sites<NodeSite> sites, long blockSize, Set<StorageType> types, long since) {
      this.sites = sites;
      this.blockSize = blockSize;
      this.types = types;
      this.since = since;
      results = new byte[sites.size()];
    }

    boolean get(int number, Predicate<DatanodeDescriptor> rules) {
      byte result = results[number];
      if (result == 0) {
        result = rules.test(sites.get(number).node()) ? ELIGIBLE : INELIGIBLE;
        results[number] = result;
      }
      return result == ELIGIBLE;
    }
  }
}
