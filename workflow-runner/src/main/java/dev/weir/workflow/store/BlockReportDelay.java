package dev.weir.workflow.store;

/**
 * Estimates how long after the writer the NameNode learns of a block. A writer that asks earlier
 * whether its file is complete must ask again. The estimate adapts so that about one request in
 * eight is too early. Thread-safe.
 */
final class BlockReportDelay {

  /** A longer delay has another cause: the DataNode may have failed. */
  private static final double MAX_MILLIS = 25;

  private static final double INITIAL_MILLIS = 5;
  private static final double INCREASE = 1.5;
  private static final double DECREASE = 0.95;

  private double millis = INITIAL_MILLIS;

  /** Returns how long to wait before the first request, in milliseconds; may be 0. */
  synchronized long millis() {
    return Math.round(millis);
  }

  /** Records the result of a first request. */
  synchronized void asked(boolean inTime) {
    millis = inTime ? millis * DECREASE : Math.min(MAX_MILLIS, Math.max(1, millis) * INCREASE);
  }
}
