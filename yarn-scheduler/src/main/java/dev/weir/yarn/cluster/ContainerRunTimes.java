package dev.weir.yarn.cluster;

import dev.weir.yarn.lookup.LruMap;
import java.util.Arrays;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how long containers run, from the heartbeats of their ApplicationMasters. Those
 * of one application and priority are taken to be alike. Bounded in memory; safe for any thread.
 */
public final class ContainerRunTimes {

  static final int MAX_RUNNING = 50_000;
  static final int MAX_KINDS = 2_000;

  /** The latest of a kind that are remembered. */
  static final int SAMPLES = 32;

  /** Fewer say nothing. */
  public static final int ENOUGH = 4;

  /** Containers that are alike. */
  record Kind(ApplicationId application, int priority) {}

  private record Start(Kind kind, long atMillis) {}

  /** The latest durations of a kind, in a ring and, for those who ask, in order. */
  private static final class Samples {
    private final long[] ring = new long[SAMPLES];
    private int count;
    private long[] sorted = {};

    void add(long millis) {
      ring[count % SAMPLES] = millis;
      count++;
      // A new one each time: whoever was given the one before still reads it.
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
      ended.orPut(start.kind(), Samples::new).add(Math.max(0, nowMillis - start.atMillis()));
    }
  }

  /** Containers of which it is not known that they have ended. */
  public synchronized int running() {
    return running.size();
  }

  /** In how long a container of that age is expected to end. */
  long remaining(Kind kind, long ageMillis) {
    return remaining(known(kind), ageMillis);
  }

  private synchronized long @Nullable [] known(Kind kind) {
    Samples samples = ended.get(kind);
    return samples == null ? null : samples.sorted;
  }

  /**
   * The median of what those had still before them that got that old. Of a container that has
   * outlived all its like, or has none, nothing is known but its age, and then the best guess is
   * that it is in the middle of its life.
   *
   * @param sorted how long others ran
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
