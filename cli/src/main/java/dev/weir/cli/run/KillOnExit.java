package dev.weir.cli.run;

import dev.weir.workflow.run.RunHandle;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Ends a run on the cluster when this process is ended, as by Ctrl-C. Thread-safe. */
final class KillOnExit implements AutoCloseable {

  /** Before Hadoop closes the file systems, which the clean-up needs. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  private static final long PATIENCE_SECONDS = 15;

  private final AtomicReference<@Nullable RunHandle> guarded = new AtomicReference<>();
  private final Runnable hook = this::kill;

  KillOnExit() {
    ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Kills this run from now on. */
  void guard(RunHandle run) {
    guarded.set(run);
  }

  /** Kills the run unless disarmed. */
  void kill() {
    RunHandle run = guarded.getAndSet(null);
    if (run != null) {
      System.err.println("weir: ending " + run.id());
      try {
        run.kill();
      } catch (IOException e) {
        System.err.println("weir: cannot end " + run.id() + ": " + e.getMessage());
      }
    }
  }

  /** The run has ended by itself, or is to go on alone. */
  void disarm() {
    guarded.set(null);
  }

  /** Guards nothing from now on. */
  @Override
  public void close() {
    disarm();
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has run, and finds nothing to do.
    }
  }
}
