package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;

/** How fast workers read inputs from other nodes, by what they report. Not thread-safe. */
final class ReadRate {

  /** The time that fewer bytes take is that of opening files. */
  private static final long MEASURABLE_BYTES = 1 << 20;

  /** What took less time in all was read from memory, or cannot be told from it. */
  private static final long MEASURABLE_MILLIS = 20;

  private long bytes;
  private long millis;

  void add(TaskReport.Usage usage) {
    if (usage.inputBytesRemote() >= MEASURABLE_BYTES) {
      bytes += usage.inputBytesRemote();
      millis += usage.stageInRemoteMillis();
    }
  }

  /** One input at a time; 0 when too little was read to tell. */
  long bytesPerSecond() {
    return millis < MEASURABLE_MILLIS ? 0 : bytes * 1_000 / millis;
  }

  /** The same as far as it is known, and else what is assumed. */
  double rate() {
    long measured = bytesPerSecond();
    return measured > 0 ? measured : TaskGraph.BYTES_PER_SECOND;
  }
}
