package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.protocol.TaskReport;

/** Measures how fast workers read inputs from other nodes, from their reports. Not thread-safe. */
public final class ReadRate {

  /** The rate when none was measured, in bytes a second: what a local disk delivers at least. */
  public static final double ASSUMED = 100e6;

  /** Reads of fewer bytes mostly measure the opening of files. */
  private static final long MEASURABLE_BYTES = 1 << 20;

  /** A shorter total time is too short to measure, or the files were in memory. */
  private static final long MEASURABLE_MILLIS = 20;

  private long bytes;
  private long millis;

  public void add(TaskReport.Usage usage) {
    if (usage.inputBytesRemote() >= MEASURABLE_BYTES) {
      bytes += usage.inputBytesRemote();
      millis += usage.stageInRemoteMillis();
    }
  }

  /** Rate of one input at a time; 0 when too little was read to measure it. */
  public long bytesPerSecond() {
    return millis < MEASURABLE_MILLIS ? 0 : bytes * 1_000 / millis;
  }

  /** The measured rate, or an assumed one when none was measured. */
  public double rate() {
    long measured = bytesPerSecond();
    return measured > 0 ? measured : ASSUMED;
  }
}
