package dev.weir.workflow.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what blocks while a run goes on; what fails here fails the run. For any thread. */
public final class BackgroundTasks {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTasks.class);

  private final Executor threads;
  private final Consumer<Throwable> failed;

  /**
   * Does nothing yet.
   *
   * @param failed hears of what the run cannot go on with
   */
  public BackgroundTasks(Executor threads, Consumer<Throwable> failed) {
    this.threads = threads;
    this.failed = failed;
  }

  /** Does something soon; after the end of the run nothing happens. */
  public void run(Runnable work) {
    try {
      threads.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.error("What was to be done beside the run has failed", e);
              failed.accept(e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Something is to be done after the end");
    }
  }
}
