package dev.weir.hints.client.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to one instance and reads the entire answer within a time limit. Uses the JDK's
 * HTTP client, which unlike {@link java.net.HttpURLConnection} supports PATCH, a limit for the
 * whole exchange, and interrupts. Thread-safe.
 */
public final class HttpExchange {
  /**
   * The longest answer in memory, in bytes. Ten thousand locations with all their nodes need less.
   */
  private static final int MAX_ANSWER = 256 << 20;

  private static final int FIRST_ERROR = 400;
  private static final int UNAUTHORIZED = 401;

  private final HttpClient client;
  private final CallerIdentity identity;

  public HttpExchange(ClientSettings settings, CallerIdentity identity, TlsClientConfig tls) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connectTimeout());
    tls.context().ifPresent(builder::sslContext);
    this.client = builder.build();
    this.identity = identity;
  }

  private HttpExchange(HttpClient client, CallerIdentity identity) {
    this.client = client;
    this.identity = identity;
  }

  /** A copy for another caller: the caller is identified in each request, not by the connection. */
  HttpExchange as(CallerIdentity other) {
    return new HttpExchange(client, other);
  }

  /** Whether the request certainly did not reach the service. */
  static boolean isUnsent(IOException failure) {
    return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
  }

  /**
   * Sends a call.
   *
   * @param timeout for the whole answer, or, if it goes to a file, for more of it to arrive
   * @param file the target of an answer with status below 400, whose body is then empty; null for
   *     memory
   * @throws IOException if the answer is incomplete or cannot be written; {@link
   *     HttpTimeoutException} after the timeout
   */
  HttpResponse<byte[]> send(URI instance, ServiceCall call, Duration timeout, @Nullable Path file)
      throws IOException {
    HttpResponse<byte[]> first = sendOnce(instance, call, timeout, file);
    boolean needsTicket =
        first.statusCode() == UNAUTHORIZED
            && first.headers().allValues("WWW-Authenticate").stream()
                .anyMatch(value -> value.regionMatches(true, 0, "Negotiate", 0, 9));
    if (!needsTicket) {
      return first;
    }
    // The cookie has expired, or the service requires tickets although the configuration does not
    // say so.
    identity.authenticate(instance, timeout);
    return sendOnce(instance, call, timeout, file);
  }

  private HttpResponse<byte[]> sendOnce(
      URI instance, ServiceCall call, Duration timeout, @Nullable Path file) throws IOException {
    HttpRequest request = request(instance, call, timeout);
    if (file == null) {
      return answer(client.sendAsync(request, head -> bounded()), instance, timeout, () -> 0);
    }
    try (FileBodySubscriber saved = new FileBodySubscriber(file)) {
      return answer(
          client.sendAsync(request, head -> head.statusCode() < FIRST_ERROR ? saved : bounded()),
          instance,
          timeout,
          saved::received);
    }
  }

  private static BoundedBodySubscriber bounded() {
    return new BoundedBodySubscriber(MAX_ANSWER);
  }

  /** Waits for the whole answer as long as more of it arrives within the timeout. */
  static HttpResponse<byte[]> answer(
      CompletableFuture<HttpResponse<byte[]>> answer,
      URI instance,
      Duration timeout,
      LongSupplier received)
      throws IOException {
    long before = 0;
    try {
      while (true) {
        try {
          return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          long now = received.getAsLong();
          if (now <= before) {
            answer.cancel(true);
            throw timeout(timeout, e);
          }
          before = now;
        }
      }
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + instance);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("cannot ask " + instance + ": " + e.getCause(), e);
    }
  }

  private HttpRequest request(URI instance, ServiceCall call, Duration timeout) throws IOException {
    // The cookie comes first: with a cookie, the query has no user name.
    String cookie = identity.cookie(instance, timeout).orElse("");
    String target = call.target(identity.query(instance));
    ServiceCall.Body body = call.body();
    BodyPublisher bytes =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body.bytes());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(instance + target))
            .method(call.method(), bytes)
            .header("Accept", "application/json, application/problem+json");
    if (body != null) {
      request.header("Content-Type", body.type());
    }
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    for (Map.Entry<String, String> header : call.headers().entrySet()) {
      request.header(header.getKey(), header.getValue());
    }
    return request.build();
  }

  private static HttpTimeoutException timeout(Duration timeout, TimeoutException cause) {
    HttpTimeoutException failure =
        new HttpTimeoutException("no answer within " + timeout.toMillis() / 1000.0 + " s");
    failure.initCause(cause);
    return failure;
  }
}
