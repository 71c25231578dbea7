package dev.weir.hints.client;

import dev.weir.hints.LogLimit;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
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
  private static final int MOST_AT_ONCE = 8;
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final HintsClient client;
  private final Duration bound;
  private final ServiceBackoff rest;
  private final ThreadPoolExecutor asking;
  private final LogLimit logging = LogLimit.oncePerMinute();

  /** A call of the service. */
  public interface Question<T> {
    /** Makes the call. */
    T ask(HintsClient client) throws IOException;
  }

  /**
   * Creates a best-effort client.
   *
   * @param client closed with this
   * @param bound the longest that a caller waits
   */
  public BestEffortHintsClient(HintsClient client, Duration bound) {
    this(client, bound, new ServiceBackoff(System::nanoTime));
  }

  /**
   * Creates a best-effort client that shares a backoff with others of the same service. @param
   * client closed with this
   *
   * @param bound the longest that a caller waits
   * @param rest the backoff while the service is unavailable
   */
  public BestEffortHintsClient(HintsClient client, Duration bound, ServiceBackoff rest) {
    this.client = client;
    this.bound = bound;
    this.rest = rest;
    this.asking =
        new ThreadPoolExecutor(
            0,
            MOST_AT_ONCE,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            BestEffortHintsClient::thread);
  }

  /** The hint that applies to a path, if the service answers in time. */
  public Optional<EffectiveHint> hint(String path) {
    return ask(asked -> asked.hint(path)).flatMap(found -> found);
  }

  /** The locations of files, if the service answers in time. */
  public Optional<List<FileLocations>> locations(List<String> paths) {
    return ask(asked -> asked.locations(paths));
  }

  /** The nodes that hold the most of these files, if the service answers in time. */
  public Optional<Ranking> rank(List<String> paths, int limit) {
    return ask(asked -> asked.rank(paths, limit));
  }

  /** The answer of any call, if it arrives in time. */
  public <T> Optional<T> ask(Question<T> question) {
    if (rest.lasts()) {
      return Optional.empty();
    }
    long asked = rest.now();
    @Nullable Future<T> answer = null;
    try {
      answer = asking.submit(() -> question.ask(client));
      T value = answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
      rest.end();
      return Optional.ofNullable(value);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // The maximum number of callers wait already, or this is closed.
      LOG.debug("The hints service is not called", e);
    } catch (TimeoutException e) {
      leaveAlone(asked, "no answer within " + bound.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (!isRefusal(e.getCause())) {
        leaveAlone(asked, String.valueOf(e.getCause()));
      }
    } finally {
      if (answer != null) {
        answer.cancel(true);
      }
    }
    return Optional.empty();
  }

  /** A service that refuses is available; it may answer the next call. */
  private static boolean isRefusal(@Nullable Throwable failure) {
    return failure instanceof HintsServiceException answered && !answered.isAway();
  }

  private void leaveAlone(long askedNanos, String why) {
    Duration pause = rest.begin(askedNanos);
    if (logging.permits()) {
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
    asking.shutdownNow();
    client.close();
  }
}
