package dev.weir.cli.run;

import dev.weir.workflow.run.RunHandle;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends a run on the cluster when this process is ended, as by Ctrl-C. */
final class KillOnExit implements AutoCloseable {

  private final AtomicBoolean armed = new AtomicBoolean(true);
  private final RunHandle run;
  private final Thread hook;

  private KillOnExit(RunHandle run) {
    this.run = run;
    this.hook = new Thread(this::kill, "kill-run");
  }

  static KillOnExit guard(RunHandle run) {
    KillOnExit guard = new KillOnExit(run);
    Runtime.getRuntime().addShutdownHook(guard.hook);
    return guard;
  }

  private void kill() {
    if (armed.getAndSet(false)) {
      try {
        run.kill();
      } catch (IOException e) {
        System.err.println("weir: cannot end " + run.id() + ": " + e.getMessage());
      }
    }
  }

  /** The run has ended by itself. */
  void disarm() {
    armed.set(false);
  }

  /** Kills the run unless disarmed. */
  @Override
  public void close() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has run, and finds nothing to do.
    }
  }
}
