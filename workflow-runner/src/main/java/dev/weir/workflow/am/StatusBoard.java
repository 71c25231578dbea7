package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.Progress;
import dev.weir.workflow.run.RunProgress;
import dev.weir.workflow.run.RunProgress.Phase;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.worker.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes how far the run is, once a second when it has changed. Thread-safe. */
final class StatusBoard {

  private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

  /** It is read when it is over, for until then no status is written. */
  private static final String SAFE_MODE =
      "HDFS was in safe mode for a time: what tasks had written waited for its end";

  private final Staging staging;
  private final Supplier<Progress> progress;
  private final Supplier<Progress.Details> details;
  private final List<String> notes = new ArrayList<>();
  private boolean finishing;
  private @Nullable ScheduledFuture<?> ticking;
  private @Nullable RunProgress written;

  StatusBoard(Staging staging, Supplier<Progress> progress, Supplier<Progress.Details> details) {
    this.staging = staging;
    this.progress = progress;
    this.details = details;
  }

  synchronized void start(ScheduledExecutorService timer) {
    ticking = timer.scheduleWithFixedDelay(this::write, 0, 1, TimeUnit.SECONDS);
  }

  synchronized void note(String note) {
    LOG.info("Note: {}", note);
    notes.add(note);
  }

  /** Writes the last status. */
  synchronized void finish() {
    finishing = true;
    if (ticking != null) {
      ticking.cancel(false);
    }
    write();
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

  private synchronized void write() {
    RunProgress now = current();
    if (now.equals(written)) {
      return;
    }
    try {
      staging.writeJson(Staging.STATUS, now);
      written = now;
    } catch (IOException e) {
      LOG.warn("Cannot write the status", e);
      if (Patience.isSafeMode(e) && !notes.contains(SAFE_MODE)) {
        notes.add(SAFE_MODE);
      }
    }
  }
}
