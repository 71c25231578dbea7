package dev.weir.hdfs.audit;

import dev.weir.hdfs.placement.StableHash;
import dev.weir.hints.DaemonThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the opens and writes of paths. The callers of {@link #opened} and {@link #written} only
 * add the path to a bounded queue and never wait; one daemon thread counts. Paths are counted by
 * {@link StableHash}, so that the counts take the same memory for long names and do not show the
 * names. Thread-safe.
 */
final class AccessCounter {
  private static final Logger LOG = LoggerFactory.getLogger(AccessCounter.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The most accesses that wait to be counted. Further ones are dropped. */
  static final int CAPACITY = 32_768;

  private final Queue<Access> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final LongSupplier clock;
  private final Duration halfLife;
  private final long started;
  private final Object lock = new Object();
  private final SpaceSaving counts;
  private long counted;

  AccessCounter(int paths, Duration halfLife, LongSupplier clock) {
    this.clock = clock;
    this.halfLife = halfLife;
    this.started = clock.getAsLong();
    this.counts = new SpaceSaving(paths, halfLife.toMillis(), started);
  }

  private record Access(String path, boolean write) {}

  void opened(String path) {
    add(new Access(path, false));
  }

  void written(String path) {
    add(new Access(path, true));
  }

  private void add(Access access) {
    if (size.get() >= CAPACITY) {
      dropped.increment();
    } else {
      size.incrementAndGet();
      waiting.add(access);
    }
  }

  void start() {
    DaemonThreadFactory.numbered("weir-access-counter-").newThread(this::run).start();
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        count();
      } catch (RuntimeException e) {
        LOG.warn("Some accesses were not counted", e);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  void count() {
    synchronized (lock) {
      long now = clock.getAsLong();
      for (int present = size.get(); present > 0; present--) {
        Access next = waiting.poll();
        if (next == null) {
          break; // Its thread is about to add it.
        }
        size.decrementAndGet();
        counts.add(StableHash.of(next.path()), next.write(), now);
        counted++;
      }
    }
  }

  /** The time at which counting began, which tells one process of a NameNode from the next. */
  long started() {
    return started;
  }

  Duration halfLife() {
    return halfLife;
  }

  /** The number of accesses that were not counted, because they came faster than the thread. */
  long dropped() {
    return dropped.sum();
  }

  long counted() {
    synchronized (lock) {
      return counted;
    }
  }

  int paths() {
    synchronized (lock) {
      return counts.size();
    }
  }

  /** The greatest error of a count, which is never too high. */
  double error() {
    synchronized (lock) {
      return counts.error(clock.getAsLong());
    }
  }

  /** The counts, each as {@code HASH READS WRITES ERROR}, without those that have decayed. */
  String[] lines() {
    List<String> lines = new ArrayList<>();
    synchronized (lock) {
      counts.visit(
          clock.getAsLong(),
          (key, reads, written, error) -> {
            if (reads + written >= 0.01) {
              lines.add(
                  String.format(Locale.ROOT, "%016x %.3f %.3f %.3f", key, reads, written, error));
            }
          });
    }
    return lines.toArray(new String[0]);
  }
}
