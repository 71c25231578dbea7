package dev.weir.workflow.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs blocking work beside a run; a failure of the work fails the run. Thread-safe. */
public final class BackgroundTasks {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTasks.class);

  private final Executor executor;
  private final Consumer<Throwable> failed;

  /**
   * Creates an instance that has not started any work.
   *
   * @param failed receives each exception that work throws
   */
  public BackgroundTasks(Executor executor, Consumer<Throwable> failed) {
    this.executor = executor;
    this.failed = failed;
  }

  /** Submits work to the executor; ignored once the executor is shut down. */
  public void run(Runnable work) {
    try {
      executor.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.error("A background task of the run failed", e);
              failed.accept(e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("A background task was submitted after the end of the run");
    }
  }
}
