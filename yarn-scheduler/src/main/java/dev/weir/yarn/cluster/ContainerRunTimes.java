package dev.weir.yarn.cluster;

import dev.weir.yarn.lookup.LruMap;
import java.util.Arrays;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.jspecify.annotations.Nullable;

/**
 * How long containers run, learned from the heartbeats of their ApplicationMasters. Containers of
 * one application and priority are assumed to be alike. Bounded in memory; thread-safe.
 */
public final class ContainerRunTimes {

  static final int MAX_RUNNING = 50_000;
  static final int MAX_KINDS = 2_000;

  /** How many recent durations of a kind are kept. */
  static final int SAMPLES = 32;

  /** Fewer samples are ignored. */
  public static final int ENOUGH = 4;

  /** Containers that are assumed to be alike. */
  record Kind(ApplicationId application, int priority) {}

  private record Start(Kind kind, long atMillis) {}

  /** The recent durations of a kind, as a ring buffer and as a sorted copy. */
  private static final class Samples {
    private final long[] ring = new long[SAMPLES];
    private int count;
    private long[] sorted = {};

    void add(long millis) {
      ring[count % SAMPLES] = millis;
      count++;
      // Always a new array: readers may still use the previous one.
      long[] known = Arrays.copyOf(ring, Math.min(count, SAMPLES));
      Arrays.sort(known);
      sorted = known;
    }
  }

  private final LruMap<ContainerId, Start> running = new LruMap<>(MAX_RUNNING);
  private final LruMap<Kind, Samples> ended = new LruMap<>(MAX_KINDS);

  public synchronized void started(ContainerId id, int priority, long nowMillis) {
    Kind kind = new Kind(id.getApplicationAttemptId().getApplicationId(), priority);
    running.put(id, new Start(kind, nowMillis));
  }

  public synchronized void ended(ContainerId id, long nowMillis) {
    Start start = running.remove(id);
    if (start != null) {
      ended
          .computeIfAbsent(start.kind(), Samples::new)
          .add(Math.max(0, nowMillis - start.atMillis()));
    }
  }

  /** Containers that have started and are not known to have ended. */
  public synchronized int running() {
    return running.size();
  }

  /** The time until a container of that age is expected to end. */
  long remaining(Kind kind, long ageMillis) {
    return remaining(known(kind), ageMillis);
  }

  private synchronized long @Nullable [] known(Kind kind) {
    Samples samples = ended.get(kind);
    return samples == null ? null : samples.sorted;
  }

  /**
   * The median remaining time of those that reached that age. For a container that is older than
   * all samples, or has too few, only its age is known; the estimate is then that it has run half
   * of its life.
   *
   * @param sorted the durations of similar containers, ascending
   */
  static long remaining(long @Nullable [] sorted, long ageMillis) {
    if (sorted == null || sorted.length < ENOUGH) {
      return ageMillis;
    }
    int older = 0;
    while (older < sorted.length && sorted[older] <= ageMillis) {
      older++;
    }
    if (older == sorted.length) {
      return ageMillis;
    }
    return sorted[older + (sorted.length - older) / 2] - ageMillis;
  }
}
