package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;

/** Cancels a job if this process ends before it, for example by Ctrl-C. Thread-safe. */
final class CancelOnExit {

  /** Higher than the hook that closes Hadoop's file systems, where the session's address is. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  private static final long PATIENCE_SECONDS = 10;

  private final Runnable hook;

  CancelOnExit(JobClient client, String job) {
    hook = () -> cancel(client, job);
    ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** A job that has ended does not change. */
  private static void cancel(JobClient client, String job) {
    try {
      client.cancel(job);
    } catch (IOException e) {
      System.err.println("weir: cannot cancel " + job + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops guarding, because the job has ended. */
  void close() {
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has run.
    }
  }
}
