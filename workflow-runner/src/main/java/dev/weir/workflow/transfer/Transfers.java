package dev.weir.workflow.transfer;

import dev.weir.workflow.transfer.DataStore.Source;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The threads that move a worker's files. Who reads a large one may wait for a turn, or for another
 * who reads the same, for as long as reading takes; that keeps neither small inputs nor outputs
 * from moving.
 *
 * @param small for inputs
 * @param bulky for inputs of many bytes
 * @param out for outputs
 * @param bulkyBytes from which size on an input is one of many bytes
 */
public record Transfers(
    ExecutorService small, ExecutorService bulky, ExecutorService out, long bulkyBytes) {

  /** How many threads there are of each kind. */
  static final int EACH = 8;

  public static final long BULKY_BYTES = 64L << 20;

  /**
   * Threads of a worker.
   *
   * @param largeBytes from which size on an input is read when it is its turn
   * @param threads makes them
   */
  public static Transfers start(long largeBytes, ThreadFactory threads) {
    return new Transfers(
        Executors.newFixedThreadPool(EACH, threads),
        Executors.newFixedThreadPool(EACH, threads),
        Executors.newFixedThreadPool(EACH, threads),
        Math.min(BULKY_BYTES, largeBytes));
  }

  /** Whether an input is one of many bytes; null for one that is no whole file, or is not there. */
  boolean isBulky(@Nullable Source source) {
    return source != null
        && source.version().map(version -> version.length() >= bulkyBytes).orElse(false);
  }

  /** Who brings an input. */
  ExecutorService bringing(@Nullable Source source) {
    return isBulky(source) ? bulky : small;
  }
}
