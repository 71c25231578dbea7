package dev.weir.hints.client;

import dev.weir.hints.LogLimit;
import dev.weir.hints.client.http.HintsServiceException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the hints service for the I/O path of a job. It throws nothing, and an answer that
 * does not arrive in time counts as no hint. After a failure the service is not called for a while,
 * which doubles up to half a minute. So an unavailable service costs a job one time limit, not one
 * per file. Thread-safe; the caller's interrupt status is kept.
 */
public final class BestEffortHintsClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BestEffortHintsClient.class);
  private static final int MAX_CONCURRENT = 8;
  private static final Duration THREAD_IDLE_TIME = Duration.ofSeconds(10);

  private final HintsClient client;
  private final Duration timeout;
  private final ServiceBackoff backoff;
  private final ThreadPoolExecutor executor;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  /**
   * Creates a best-effort client.
   *
   * @param client closed with this
   * @param timeout the longest that a caller waits
   */
  public BestEffortHintsClient(HintsClient client, Duration timeout) {
    this(client, timeout, new ServiceBackoff(System::nanoTime));
  }

  /**
   * Creates a best-effort client that shares a backoff with others of the same service.
   *
   * @param client closed with this
   * @param timeout the longest that a caller waits
   * @param backoff the backoff while the service is unavailable
   */
  public BestEffortHintsClient(HintsClient client, Duration timeout, ServiceBackoff backoff) {
    this.client = client;
    this.timeout = timeout;
    this.backoff = backoff;
    this.executor =
        new ThreadPoolExecutor(
            0,
            MAX_CONCURRENT,
            THREAD_IDLE_TIME.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            BestEffortHintsClient::thread);
  }

  /** The hint that applies to a path, if the service answers in time. */
  public Optional<EffectiveHint> hint(String path) {
    return ask(service -> service.hint(path)).flatMap(hint -> hint);
  }

  /** The nodes that hold the most of these files, if the service answers in time. */
  public Optional<Ranking> rank(List<String> paths, int limit) {
    return ask(service -> service.rank(paths, limit));
  }

  /** The answer of any call, if it arrives in time. */
  public <T> Optional<T> ask(FunctionRaisingIOE<HintsClient, T> question) {
    if (backoff.isActive()) {
      return Optional.empty();
    }
    long sentNanos = backoff.now();
    @Nullable Future<T> answer = null;
    try {
      answer = executor.submit(() -> question.apply(client));
      T value = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      backoff.succeeded();
      return Optional.ofNullable(value);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // The maximum number of callers is waiting, or this client is closed.
      LOG.debug("The hints service is not called", e);
    } catch (TimeoutException e) {
      backOff(sentNanos, "no answer within " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (!isRefusal(e.getCause())) {
        backOff(sentNanos, String.valueOf(e.getCause()));
      }
    } finally {
      if (answer != null) {
        answer.cancel(true);
      }
    }
    return Optional.empty();
  }

  /** A service that refuses a call is available. */
  private static boolean isRefusal(@Nullable Throwable failure) {
    return failure instanceof HintsServiceException answered && !answered.isAway();
  }

  private void backOff(long sentNanos, String why) {
    Duration pause = backoff.failed(sentNanos);
    if (logLimit.permits()) {
      LOG.warn("Not using the hints service for {} s: {}", pause.toSeconds(), why);
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-hints-client");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    executor.shutdownNow();
    client.close();
  }
}
