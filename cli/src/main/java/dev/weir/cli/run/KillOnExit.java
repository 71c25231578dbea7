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
 * Ends a run on the cluster when this process is ended, as by Ctrl-C: one that somebody waits for
 * by itself, so that it leaves a record of what it has done, if that does not take long; others,
 * and at a second Ctrl-C, by having it killed. Thread-safe.
 */
final class KillOnExit implements AutoCloseable {

  /** Before Hadoop closes the file systems, which the clean-up needs. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  /** For a run that is asked to end, and then for who waits for it to write down what it was. */
  private static final Times TIMES = new Times(Duration.ofSeconds(10), Duration.ofSeconds(5));

  private static final long KILL_SECONDS = 15;

  private final AtomicReference<@Nullable Guarded> guarded = new AtomicReference<>();
  private final CountDownLatch enough = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Times times;
  private final Consumer<Runnable> onInterrupt;
  private final Runnable hook = this::end;
  private volatile boolean awaited;

  /** A run that may be ended. */
  interface Guarded {

    String id();

    /** Whether it will end by itself. */
    boolean cancel() throws IOException;

    void kill() throws IOException;
  }

  /**
   * How long is waited.
   *
   * @param end for a run to end by itself
   * @param report for who waits for it, after that
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
   * One that is not told when the process ends.
   *
   * @param onInterrupt has something done at each Ctrl-C from now on
   */
  KillOnExit(Times times, Consumer<Runnable> onInterrupt) {
    this.times = times;
    this.onInterrupt = onInterrupt;
  }

  private static void bind(Runnable then) {
    try {
      new IrqHandler(IrqHandler.CONTROL_C, data -> then.run()).bind();
    } catch (IllegalArgumentException e) {
      // Somebody else has taken the signal, as with java -Xrs: there is no second Ctrl-C.
    }
  }

  /** Ends this run from now on. */
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

  /** Somebody waits for the end of the run, and disarms this when it has come. */
  void announceWaiting() {
    awaited = true;
  }

  /** What is done when the process is told to end. */
  void end() {
    Guarded run = guarded.get();
    if (run == null) {
      return;
    }
    if (awaited) {
      onInterrupt.accept(enough::countDown);
      System.err.println("weir: ending " + run.id() + "; another Ctrl-C kills it at once");
      // On a thread of its own: an HDFS that does not answer is not waited for.
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
      // Who is not reached in one way may be in another.
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

  /** The run has ended by itself, or is to go on alone. */
  void disarm() {
    guarded.set(null);
    enough.countDown();
  }

  /** Guards nothing from now on; all is said of the run that is to be said. */
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
