package dev.weir.hints.client.http;

import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.http.conn.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to the instance that answered last, and to the next one if that is unavailable.
 * Retries with growing pauses within the configured patience. Thread-safe.
 */
public final class ServiceConnection implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int MAX_DOUBLINGS = 6;
  private static final int NO_CONTENT = 204;
  private static final int NOT_FOUND = 404;

  private final ClientSettings settings;
  private final HttpExchange exchange;
  private final RetryTimer timer;
  private final AnswerReader reader = new AnswerReader();
  private final AtomicInteger preferred = new AtomicInteger();

  public ServiceConnection(ClientSettings settings, HttpExchange exchange, RetryTimer timer) {
    this.settings = settings;
    this.exchange = exchange;
    this.timer = timer;
  }

  /** A copy for another caller. */
  public ServiceConnection as(CallerIdentity other) {
    return new ServiceConnection(settings, exchange.as(other), timer);
  }

  /**
   * Sends a call until an instance answers.
   *
   * @throws HintsServiceException if the answer is a problem, or there is none
   * @throws InterruptedIOException if the thread is interrupted, which it stays
   */
  public Answer send(ServiceCall call) throws IOException {
    return send(call, null);
  }

  /**
   * Sends a call until an instance answers, and writes the answer's body to a file.
   *
   * @param file the target; null for memory
   */
  public Answer send(ServiceCall call, @Nullable Path file) throws IOException {
    long deadline = timer.nanoTime() + settings.patience().plus(call.serviceWaits()).toNanos();
    List<URI> urls = settings.urls();
    if (urls.isEmpty()) {
      throw HintsServiceException.unconfigured();
    }
    Attempts attempts = new Attempts();
    for (int round = 0; ; round++) {
      int first = preferred.get();
      for (int i = 0; i < urls.size(); i++) {
        int index = (first + i) % urls.size();
        @Nullable Answer answer = attempt(urls.get(index), call, deadline, attempts, file);
        if (answer != null) {
          preferred.set(index);
          return answer;
        }
      }
      Duration pause = attempts.pause(round);
      boolean lastRound = round + 1 >= settings.attempts();
      if (lastRound || timer.nanoTime() + pause.toNanos() - deadline >= 0) {
        throw attempts.failure();
      }
      pause(pause);
    }
  }

  /** The answer, or null if another attempt may succeed. */
  private @Nullable Answer attempt(
      URI instance, ServiceCall call, long deadline, Attempts attempts, @Nullable Path file)
      throws IOException {
    Duration left = Duration.ofNanos(deadline - timer.nanoTime());
    if (left.isNegative() || left.isZero()) {
      throw attempts.failure();
    }
    Duration usual = settings.timeout().plus(call.serviceWaits());
    Duration timeout = left.compareTo(usual) < 0 ? left : usual;
    try {
      HttpAnswer response = exchange.send(instance, call, timeout, file);
      if (!HintsServiceException.isAway(response.status())) {
        return reader.read(instance, response);
      }
      attempts.unavailable(instance, reader.problem(instance, response), retryAfter(response));
    } catch (HintsServiceException e) {
      if (attempts.isAlreadyDeleted(call, e)) {
        return new Answer(NO_CONTENT, MissingNode.getInstance(), OptionalLong.empty());
      }
      throw e;
    } catch (AnswerFile.UnwritableException e) {
      throw e;
    } catch (IOException e) {
      boolean unsent = HttpExchange.isUnsent(e);
      if (e instanceof InterruptedIOException
          && !(e instanceof SocketTimeoutException)
          && !unsent) {
        throw e;
      }
      attempts.unanswered(instance, e);
      if (unsent) {
        return null;
      }
    }
    attempts.sent = true;
    if (!call.isRepeatable()) {
      // It is unknown whether the service has executed the call. If it has, a retry would conflict
      // with the new version.
      throw attempts.failure();
    }
    return null;
  }

  private void pause(Duration time) throws InterruptedIOException {
    try {
      timer.pause(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the hints service");
    }
  }

  private static Duration retryAfter(HttpAnswer response) {
    String seconds = response.header("Retry-After").orElse("");
    return seconds.matches("\\d{1,6}")
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  /** Closes the connections, of all copies too. */
  @Override
  public void close() {
    exchange.close();
  }

  /** The failed attempts of one call. */
  private final class Attempts {
    private final Map<URI, String> unanswered = new LinkedHashMap<>();
    private @Nullable HintsServiceException problem;
    private @Nullable IOException lastFailure;
    private Duration retryAfter = Duration.ZERO;
    private boolean sent;

    void unavailable(URI instance, HintsServiceException answered, Duration retryAfter) {
      unanswered.remove(instance);
      problem = answered;
      this.retryAfter = retryAfter;
    }

    void unanswered(URI instance, IOException failure) {
      unanswered.put(instance, reason(failure));
      lastFailure = failure;
    }

    /** A DELETE that is repeated finds nothing, because the first attempt removed it. */
    boolean isAlreadyDeleted(ServiceCall call, HintsServiceException answered) {
      return sent && call.method().equals("DELETE") && answered.status() == NOT_FOUND;
    }

    /** The pause that the service requested, or a growing one, with jitter. */
    Duration pause(int round) {
      Duration grown = FIRST_PAUSE.multipliedBy(1L << Math.min(round, MAX_DOUBLINGS));
      Duration pause = grown.compareTo(retryAfter) < 0 ? retryAfter : grown;
      Duration bounded = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
      return bounded.plusNanos((long) (timer.chance() * bounded.toNanos() / 2));
    }

    HintsServiceException failure() {
      if (problem != null) {
        return problem;
      }
      String where =
          unanswered.entrySet().stream()
              .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
              .collect(Collectors.joining(", "));
      return HintsServiceException.away(
          "The hints service does not answer: "
              + where
              + "; check that it runs ('weir server') and that "
              + ClientSettings.URL_KEY
              + " names it",
          lastFailure);
    }

    private static String reason(IOException failure) {
      if (failure instanceof ConnectTimeoutException) {
        return "no connection in time";
      }
      if (failure instanceof ConnectException || failure instanceof UnknownHostException) {
        return "cannot connect";
      }
      String message = failure.getMessage();
      return message == null ? failure.getClass().getSimpleName() : message;
    }
  }
}
