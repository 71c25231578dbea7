package dev.weir.workflow.store;

/**
 * How long the NameNode takes to hear of a block after its DataNodes have told the writer that they
 * have it: who asks before that, whether a file is complete, asks in vain and has to ask again. It
 * is learned from what was asked: about one question in eight is too early. Thread-safe.
 */
final class ReportLag {

  /** Beyond that it is not the lag: the DataNode may be gone. */
  private static final double MOST_MILLIS = 25;

  private static final double FIRST_MILLIS = 5;
  private static final double LONGER = 1.5;
  private static final double SHORTER = 0.95;

  private double millis = FIRST_MILLIS;

  /** How long it is worth to wait before the first question, in milliseconds; may be 0. */
  synchronized long millis() {
    return Math.round(millis);
  }

  /** What came of a first question. */
  synchronized void asked(boolean inTime) {
    millis = inTime ? millis * SHORTER : Math.min(MOST_MILLIS, Math.max(1, millis) * LONGER);
  }
}
