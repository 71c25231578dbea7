package dev.weir.workflow.am;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what blocks beside a run, which fails with it. For any thread. */
final class Beside {

  private static final Logger LOG = LoggerFactory.getLogger(Beside.class);

  private final Executor background;
  private final Consumer<Throwable> failed;

  /**
   * Does nothing yet.
   *
   * @param failed hears of what the run cannot go on with
   */
  Beside(Executor background, Consumer<Throwable> failed) {
    this.background = background;
    this.failed = failed;
  }

  /** Does something soon; after the end of the run nothing happens. */
  void run(Runnable work) {
    try {
      background.execute(
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
