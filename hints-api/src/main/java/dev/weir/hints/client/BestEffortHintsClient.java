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
 * The hints service for the I/O path of a job: nothing is thrown, and no answer within the bound is
 * no hint. After a failure the service is left alone for a while, which doubles up to half a
 * minute, so that a service that is away costs a job one bound and not one a file. For any thread;
 * the caller's interrupt is kept.
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

  /** What is asked. */
  public interface Question<T> {
    /** Asks it. */
    T ask(HintsClient client) throws IOException;
  }

  /**
   * A quiet form of a client.
   *
   * @param client closed with this
   * @param bound the longest that a caller waits
   */
  public BestEffortHintsClient(HintsClient client, Duration bound) {
    this(client, bound, new ServiceBackoff(System::nanoTime));
  }

  /**
   * A quiet form of a client that others of the same service share a rest with.
   *
   * @param client closed with this
   * @param bound the longest that a caller waits
   * @param rest for how long the service is left alone when it is away
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

  /** The hint that counts for a path, if the service says so in time. */
  public Optional<EffectiveHint> hint(String path) {
    return ask(asked -> asked.hint(path)).flatMap(found -> found);
  }

  /** Where files are, if the service says so in time. */
  public Optional<List<FileLocations>> locations(List<String> paths) {
    return ask(asked -> asked.locations(paths));
  }

  /** Which nodes hold the most of these files, if the service says so in time. */
  public Optional<Ranking> rank(List<String> paths, int limit) {
    return ask(asked -> asked.rank(paths, limit));
  }

  /** Any answer, if there is one in time. */
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
      // As many wait already as may, or this is closed.
      LOG.debug("The hints service is not asked", e);
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

  /** A service that refuses is there: the next question may be another matter. */
  private static boolean isRefusal(@Nullable Throwable failure) {
    return failure instanceof HintsServiceException answered && !answered.isAway();
  }

  private void leaveAlone(long askedNanos, String why) {
    Duration pause = rest.begin(askedNanos);
    if (logging.permits()) {
      LOG.warn("Going on without the hints service for {} s: {}", pause.toSeconds(), why);
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
