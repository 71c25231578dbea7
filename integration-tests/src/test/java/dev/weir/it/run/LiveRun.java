package dev.weir.it.run;

import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.scheduler.api.Progress.Failed;
import dev.weir.workflow.staging.RunProgress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A run that is monitored in the background; closing it before its end kills it. */
final class LiveRun implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 180;

  private final RunHandle handle;
  private final ExecutorService follower = Executors.newSingleThreadExecutor();
  private final AtomicReference<List<String>> notes = new AtomicReference<>(List.of());
  private final AtomicReference<List<Failed>> failures = new AtomicReference<>(List.of());
  private final Future<RunRecord> record;

  LiveRun(RunHandle handle) {
    this.handle = handle;
    this.record = follower.submit(() -> handle.await(this::onProgress));
  }

  private void onProgress(RunProgress progress) {
    notes.set(progress.notes());
    failures.set(progress.details().failures());
  }

  String id() {
    return handle.id();
  }

  /** The notes to the user. */
  List<String> notes() {
    return notes.get();
  }

  /** The latest attempts that were reported as failed or lost. */
  List<Failed> failures() {
    return failures.get();
  }

  /** Waits for the end. */
  RunRecord end() throws Exception {
    return record.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** Why the run failed, also for assertion messages. */
  String failure() {
    return handle.failure().toString();
  }

  @Override
  public void close() throws IOException {
    if (!record.isDone()) {
      handle.kill();
    }
    follower.shutdownNow();
    handle.close();
  }
}
