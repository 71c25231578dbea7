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
 * for {@value #MOST_AGE_MILLIS} ms, since a DataNode reports its free space only every few seconds.
 * A node that has become ineligible meanwhile is skipped at placement.
 */
@NullMarked
final class NodeEligibility {
  private static final long MOST_AGE_MILLIS = 1000;
  private static final long MOST_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(MOST_AGE_MILLIS);
  private static final int PLACES = 16;

  private final LongSupplier nanoTime;
  private final AtomicReferenceArray<@Nullable Answers> known = new AtomicReferenceArray<>(PLACES);

  NodeEligibility(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The cached results for blocks of a size on some storage types. */
  Answers of(Sites<NodeSite> sites, long blockSize, Set<StorageType> types) {
    int place = Math.floorMod(31 * Long.hashCode(blockSize) + types.hashCode(), PLACES);
    Answers present = known.get(place);
    long now = nanoTime.getAsLong();
    if (present != null
        && present.sites == sites
        && present.blockSize == blockSize
        && present.types.equals(types)
        && now - present.since < MOST_AGE_NANOS) {
      return present;
    }
    Answers fresh = new Answers(sites, blockSize, Set.copyOf(types), now);
    known.set(place, fresh);
    return fresh;
  }

  /** Thread-safe: each result is one byte, and concurrent checks find the same. */
  static final class Answers {
    private static final byte YES = 1;
    private static final byte NO = 2;

    private final Sites<NodeSite> sites;
    private final long blockSize;
    private final Set<StorageType> types;
    private final long since;
    private final byte[] answers;

    private Answers(Sites<NodeSite> sites, long blockSize, Set<StorageType> types, long since) {
      this.sites = sites;
      this.blockSize = blockSize;
      this.types = types;
      this.since = since;
      answers = new byte[sites.size()];
    }

    boolean get(int number, Predicate<DatanodeDescriptor> rules) {
      byte answer = answers[number];
      if (answer == 0) {
        answer = rules.test(sites.get(number).node()) ? YES : NO;
        answers[number] = answer;
      }
      return answer == YES;
    }
  }
}
