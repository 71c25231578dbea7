package dev.weir.workflow.controller;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks what one thread alone knows, for other threads, which do not wait for long. */
final class EventLoopQueries {

  private static final Logger LOG = LoggerFactory.getLogger(EventLoopQueries.class);
  private static final long PATIENCE_MILLIS = 1_000;

  private final ExecutorService loop;

  /**
   * Questions to a thread.
   *
   * @param loop runs them on it
   */
  EventLoopQueries(ExecutorService loop) {
    this.loop = loop;
  }

  /** The answer, or something else when it does not come within a second. */
  <T> T ask(Callable<T> question, T otherwise) {
    try {
      return loop.submit(question).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | TimeoutException | ExecutionException e) {
      LOG.debug("What was asked is not known now", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return otherwise;
  }
}
