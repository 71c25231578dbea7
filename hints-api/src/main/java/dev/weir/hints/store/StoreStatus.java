package dev.weir.hints.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How current a store's index is.
 *
 * @param connected whether changes are being received
 * @param age the time since the index was last known to be up to date; zero while it is
 * @param version all changes up to this are in the index
 * @param memory what the index takes
 * @param problem why sets are not followed although ZooKeeper is connected; null for none
 */
public record StoreStatus(
    boolean connected,
    Duration age,
    long version,
    int sets,
    int rules,
    Memory memory,
    @Nullable String problem) {

  /**
   * The memory of an index.
   *
   * @param bytes an estimate
   * @param limit the most bytes
   * @param leftOut the number of sets whose last change is not in the index, because it would
   *     exceed the limit
   */
  public record Memory(long bytes, long limit, int leftOut) {}
}
