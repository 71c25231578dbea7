package dev.weir.workflow.transfer;

import dev.weir.workflow.transfer.DataStore.Source;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The threads that move a worker's files. Reads of large inputs may wait long, for a permit or for
 * another node that reads the same content. They have threads of their own and do not delay small
 * inputs and outputs.
 *
 * @param bulkyBytes size from which an input is large
 */
public record Transfers(
    ExecutorService small, ExecutorService bulky, ExecutorService out, long bulkyBytes) {

  /** Number of threads of each kind. */
  static final int THREADS = 8;

  public static final long BULKY_BYTES = 64L << 20;

  /**
   * Starts the threads of a worker.
   *
   * @param largeBytes size from which reading an input needs a permit
   */
  public static Transfers start(long largeBytes, ThreadFactory threads) {
    return new Transfers(
        Executors.newFixedThreadPool(THREADS, threads),
        Executors.newFixedThreadPool(THREADS, threads),
        Executors.newFixedThreadPool(THREADS, threads),
        Math.min(BULKY_BYTES, largeBytes));
  }

  /** Returns whether a task's file is being moved, or waits for a permit. */
  public boolean areBusy() {
    return Stream.of(small, bulky, out)
        .anyMatch(
            pool -> pool instanceof ThreadPoolExecutor threads && threads.getActiveCount() > 0);
  }

  /** Returns whether an input is large; null for a region or a missing file. */
  boolean isBulky(@Nullable Source source) {
    return source != null
        && source.version().map(version -> version.length() >= bulkyBytes).orElse(false);
  }

  /** Returns the executor that fetches an input. */
  ExecutorService executorFor(@Nullable Source source) {
    return isBulky(source) ? bulky : small;
  }
}
