package dev.weir.bench.morph;

import dev.weir.bench.disks.DiskCounters;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.SeriesRun;
import java.util.List;

/**
 * A run: one setup at all levels of load.
 *
 * @param id its workload, setup and repetition
 * @param session its number
 * @param capacity the stored bytes divided by those of one replica of each file
 * @param levels in the order of their threads
 */
record MorphRun(PlannedRun id, int session, double capacity, List<LoadLevel> levels)
    implements SeriesRun {

  /**
   * What was measured with a number of threads.
   *
   * @param threads that read and write
   * @param seconds of the measurement
   * @param moved the bytes of the threads
   * @param disks what all disks did
   * @param operations of the threads
   */
  record LoadLevel(
      int threads, double seconds, Moved moved, DiskCounters disks, Operations operations) {

    /** Returns the bytes a second that threads read and wrote. */
    double throughput() {
      return (moved.read() + moved.written()) / seconds;
    }
  }

  /**
   * The bytes that threads have moved.
   *
   * @param read that they have received
   * @param written that they have sent, once for all replicas
   */
  record Moved(long read, long written) {}

  /**
   * The operations until the end of a level, its beginning without measurement included.
   *
   * @param ended of which some have failed
   * @param failed because a file was replaced while it was read, or for another reason
   */
  record Operations(long ended, long failed) {}

  MorphRun {
    levels = List.copyOf(levels);
  }

  /** Returns the harmonic mean of the throughputs, in bytes a second; 0 if one of them is 0. */
  double harmonicMean() {
    double sum = levels.stream().mapToDouble(level -> 1 / level.throughput()).sum();
    return levels.size() / sum;
  }

  /** Returns the bytes that disks have read, divided by those that threads have received. */
  double deviceShare() {
    long device = levels.stream().mapToLong(level -> level.disks().readBytes()).sum();
    long read = levels.stream().mapToLong(level -> level.moved().read()).sum();
    return (double) device / Math.max(1, read);
  }
}
