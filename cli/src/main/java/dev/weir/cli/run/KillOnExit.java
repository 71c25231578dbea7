package dev.weir.cli.run;

import dev.weir.workflow.client.RunHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.service.launcher.IrqHandler;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run on the cluster when this process ends, for example by Ctrl-C. A run that is awaited is
 * cancelled first, so that it can write its record. It is killed if that takes too long or after a
 * second Ctrl-C. A run that is not awaited is killed at once. Thread-safe.
 */
final class KillOnExit implements AutoCloseable {

  /** Higher than the hook that closes Hadoop's file systems, which the clean-up needs. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  /**
   * How long to wait for a cancelled run, which may copy files to HDFS for 60 s, and then for its
   * record.
   */
  private static final Times TIMES = new Times(Duration.ofSeconds(70), Duration.ofSeconds(5));

  private static final long KILL_SECONDS = 15;

  private final AtomicReference<@Nullable Guarded> guarded = new AtomicReference<>();
  private final CountDownLatch enough = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Times times;
  private final Consumer<Runnable> onInterrupt;
  private final Runnable hook = this::end;
  private volatile boolean awaited;

  /** The run to end. */
  interface Guarded {

    String id();

    /** Cancels the run; returns false if the run cannot be cancelled and must be killed. */
    boolean cancel() throws IOException;

    void kill() throws IOException;
  }

  /**
   * Limits of waiting.
   *
   * @param end for a cancelled run to end
   * @param report for the record, after that
   */
  record Times(Duration end, Duration report) {}

  KillOnExit() {
    this(TIMES, KillOnExit::bind);
    ShutdownHookManager.get()
        .addShutdownHook(
            hook,
            PRIORITY,
            TIMES.end().plus(TIMES.report()).toSeconds() + KILL_SECONDS,
            TimeUnit.SECONDS);
  }

  /**
   * Creates a guard without a shutdown hook, for tests.
   *
   * @param onInterrupt installs the action for each Ctrl-C
   */
  KillOnExit(Times times, Consumer<Runnable> onInterrupt) {
    this.times = times;
    this.onInterrupt = onInterrupt;
  }

  private static void bind(Runnable then) {
    try {
      new IrqHandler(IrqHandler.CONTROL_C, data -> then.run()).bind();
    } catch (IllegalArgumentException e) {
      // The signal is taken, for example with java -Xrs: a second Ctrl-C has no effect.
    }
  }

  /** Sets the run that is to end with this process. */
  void guard(RunHandle run) {
    guard(
        new Guarded() {
          @Override
          public String id() {
            return run.id();
          }

          @Override
          public boolean cancel() throws IOException {
            return run.cancel();
          }

          @Override
          public void kill() throws IOException {
            run.kill();
          }
        });
  }

  void guard(Guarded run) {
    guarded.set(run);
  }

  /** Records that the caller awaits the end of the run; it calls {@link #disarm} then. */
  void announceWaiting() {
    awaited = true;
  }

  /** Ends the run; the shutdown hook calls this. */
  void end() {
    Guarded run = guarded.get();
    if (run == null) {
      return;
    }
    if (awaited) {
      onInterrupt.accept(enough::countDown);
      System.err.println(
          "weir: ending "
              + run.id()
              + ": its tasks are stopped; finished files that a later run can use are copied to"
              + " HDFS for at most 60 s; another Ctrl-C kills it at once");
      // On a separate thread, because HDFS may not answer.
      Thread asking = new Thread(() -> ask(run), "cancel");
      asking.setDaemon(true);
      asking.start();
      await(enough, times.end());
      if (guarded.get() == null) {
        await(closed, times.report());
      }
    }
    kill();
  }

  private void ask(Guarded run) {
    try {
      if (!run.cancel()) {
        enough.countDown();
      }
    } catch (IOException | RuntimeException e) {
      // The run could not be cancelled through HDFS; YARN may still kill it.
      enough.countDown();
    }
  }

  private static void await(CountDownLatch latch, Duration atMost) {
    try {
      boolean unused = latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the run unless disarmed. */
  void kill() {
    Guarded run = guarded.getAndSet(null);
    if (run != null) {
      System.err.println("weir: killing " + run.id());
      try {
        run.kill();
      } catch (IOException e) {
        System.err.println("weir: cannot end " + run.id() + ": " + e.getMessage());
      }
    }
  }

  /** Stops guarding, because the run has ended or was detached. */
  void disarm() {
    guarded.set(null);
    enough.countDown();
  }

  /** Removes the hook. Called after the record was written. */
  @Override
  public void close() {
    disarm();
    closed.countDown();
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has run, and finds nothing to do.
    }
  }
}
