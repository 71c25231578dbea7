package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.scheduler.api.Progress;
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
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the run's progress once a second when it has changed. Adding a note does not wait for
 * HDFS. Thread-safe.
 */
public final class StatusWriter {

  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  /** Past tense: during safe mode no status can be written. */
  static final String SAFE_MODE =
      "HDFS was in safe mode for a time: what tasks had written waited for its end";

  /** Past tense: without the NameNode no status can be written. */
  static final String AWAY =
      "HDFS did not answer for a time: what tasks read and wrote may have waited for it";

  /** A slower write has waited for the NameNode or for DataNodes. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ConsumerRaisingIOE<RunProgress> sink;
  private final Supplier<Progress> progress;
  private final Supplier<Progress.Details> details;
  private final LongSupplier nanoTime;
  private final Object writing = new Object();
  private final List<String> notes = new ArrayList<>();
  private boolean finishing;
  private @Nullable ScheduledFuture<?> ticking;
  private @Nullable RunProgress written;

  public StatusWriter(
      ConsumerRaisingIOE<RunProgress> sink,
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

  /** Whether the last write was slow and its note is not stored yet. */
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

  /** Writes the status if it has changed. */
  public void write() {
    synchronized (writing) {
      try {
        RunProgress now = current();
        if (now.equals(written)) {
          return;
        }
        long begun = nanoTime.getAsLong();
        sink.accept(now);
        written = now;
        if (nanoTime.getAsLong() - begun >= LONG_NANOS) {
          noteOnce(AWAY);
        }
      } catch (IOException | RuntimeException e) {
        // The next write may succeed; an exception would cancel the periodic task.
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
