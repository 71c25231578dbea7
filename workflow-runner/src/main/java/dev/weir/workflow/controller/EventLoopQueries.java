package dev.weir.workflow.controller;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Evaluates queries on the event loop for other threads, with a timeout. */
final class EventLoopQueries {

  private static final Logger LOG = LoggerFactory.getLogger(EventLoopQueries.class);
  private static final long TIMEOUT_MILLIS = 1_000;

  private final ExecutorService loop;

  /**
   * Creates queries to an event loop.
   *
   * @param loop runs the queries on the loop's thread
   */
  EventLoopQueries(ExecutorService loop) {
    this.loop = loop;
  }

  /** Returns the answer, or the fallback after a second. */
  <T> T ask(Callable<T> query, T fallback) {
    try {
      return loop.submit(query).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | TimeoutException | ExecutionException e) {
      LOG.debug("A query to the event loop has no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return fallback;
  }
}
