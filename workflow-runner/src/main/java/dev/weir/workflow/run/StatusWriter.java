package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunProgress.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how far the run is, once a second when it has changed. Nobody who has something to note
 * waits for HDFS. Thread-safe.
 */
public final class StatusWriter {

  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  /** It is read when it is over, for until then no status is written. */
  static final String SAFE_MODE =
      "HDFS was in safe mode for a time: what tasks had written waited for its end";

  /** As long. */
  static final String AWAY =
      "HDFS did not answer for a time: what tasks read and wrote may have waited for it";

  /** Who writes a status for as long has waited for a NameNode, or for DataNodes. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Sink sink;
  private final Supplier<Progress> progress;
  private final Supplier<Progress.Details> details;
  private final LongSupplier nanoTime;
  private final Object writing = new Object();
  private final List<String> notes = new ArrayList<>();
  private boolean finishing;
  private @Nullable ScheduledFuture<?> ticking;
  private @Nullable RunProgress written;

  /** Where the status is read. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes it there, in the place of the one before.
     *
     * @throws IOException when that is not possible now
     */
    void write(RunProgress status) throws IOException;
  }

  /**
   * A board.
   *
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public StatusWriter(
      Sink sink,
      Supplier<Progress> progress,
      Supplier<Progress.Details> details,
      LongSupplier nanoTime) {
    this.sink = sink;
    this.progress = progress;
    this.details = details;
    this.nanoTime = nanoTime;
  }

  public synchronized void start(ScheduledExecutorService timer) {
    ticking = timer.scheduleWithFixedDelay(this::write, 0, 1, TimeUnit.SECONDS);
  }

  synchronized void note(String note) {
    LOG.info("Note: {}", note);
    notes.add(note);
  }

  /** Writes the last status. */
  void finish() {
    synchronized (this) {
      finishing = true;
      if (ticking != null) {
        ticking.cancel(false);
      }
    }
    write();
    if (isNoteMissing()) {
      write();
    }
  }

  /** Whether the last status was written, and slowly enough for a note that is not in it. */
  private boolean isNoteMissing() {
    synchronized (writing) {
      RunProgress last = written;
      synchronized (this) {
        return last != null
            && last.phase() == Phase.FINISHING
            && last.notes().size() < notes.size();
      }
    }
  }

  private synchronized RunProgress current() {
    Progress now = progress.get();
    Phase phase = now.workers() == 0 && now.done() == 0 ? Phase.STARTING : Phase.RUNNING;
    return new RunProgress(
        finishing ? Phase.FINISHING : phase,
        now.tasks(),
        now.done(),
        now.ready(),
        now.running(),
        now.workers(),
        now.failedAttempts(),
        now.inputBytesLocal(),
        now.inputBytesRemote(),
        notes,
        details.get());
  }

  /** Writes the status when it is another than before. */
  public void write() {
    synchronized (writing) {
      try {
        RunProgress now = current();
        if (now.equals(written)) {
          return;
        }
        long begun = nanoTime.getAsLong();
        sink.write(now);
        written = now;
        if (nanoTime.getAsLong() - begun >= LONG_NANOS) {
          noteOnce(AWAY);
        }
      } catch (IOException | RuntimeException e) {
        // Either may be over in a second; an exception would be the end of all writing.
        LOG.warn("Cannot write the status", e);
        if (HdfsOutages.isSafeMode(e)) {
          noteOnce(SAFE_MODE);
        } else if (HdfsOutages.isUnavailable(e)) {
          noteOnce(AWAY);
        }
      }
    }
  }

  private synchronized void noteOnce(String note) {
    if (!notes.contains(note)) {
      note(note);
    }
  }
}
