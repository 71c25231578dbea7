package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;

/** Cancels a job if this process ends before it, for example by Ctrl-C. Thread-safe. */
final class CancelOnExit implements AutoCloseable {

  /** Higher than the hook that closes Hadoop's file systems, where the session's address is. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  private static final long PATIENCE_SECONDS = 10;

  private final JobClient client;
  private final String job;
  private final AtomicBoolean armed = new AtomicBoolean(true);
  private final Runnable hook = this::cancel;

  private CancelOnExit(JobClient client, String job) {
    this.client = client;
    this.job = job;
  }

  static CancelOnExit of(JobClient client, String job) {
    CancelOnExit guard = new CancelOnExit(client, job);
    ShutdownHookManager.get()
        .addShutdownHook(guard.hook, PRIORITY, PATIENCE_SECONDS, TimeUnit.SECONDS);
    return guard;
  }

  private void cancel() {
    if (armed.getAndSet(false)) {
      try {
        client.cancel(job);
      } catch (IOException e) {
        System.err.println("weir: cannot cancel " + job + ": " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Stops guarding, because the job has ended. */
  void disarm() {
    armed.set(false);
  }

  @Override
  public void close() {
    disarm();
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has run.
    }
  }
}
