package dev.weir.hints.client.http;

import dev.weir.hints.DaemonThreadFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.http.HttpEntity;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.client.utils.HttpClientUtils;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.HttpClientConnectionManager;
import org.apache.http.conn.socket.ConnectionSocketFactory;
import org.apache.http.conn.socket.PlainConnectionSocketFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.conn.util.PublicSuffixMatcher;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.apache.http.impl.conn.SystemDefaultRoutePlanner;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to one instance and reads the entire answer within a time limit. Uses the
 * Apache HTTP client that Hadoop ships, which unlike {@link java.net.HttpURLConnection} supports
 * PATCH and ends an exchange at once. Thread-safe.
 */
public final class HttpExchange implements AutoCloseable {
  /**
   * The longest answer in memory, in bytes. Ten thousand locations with all their nodes need less.
   */
  private static final int MAX_ANSWER = 256 << 20;

  private static final int FIRST_ERROR = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int BUFFER = 64 << 10;

  private final CloseableHttpClient client;
  private final ExecutorService threads;
  private final CallerIdentity identity;

  public HttpExchange(ClientSettings settings, CallerIdentity identity, TlsClientConfig tls) {
    this(
        client(settings, tls),
        Executors.newCachedThreadPool(DaemonThreadFactory.named("weir hints service call")),
        identity);
  }

  private HttpExchange(
      CloseableHttpClient client, ExecutorService threads, CallerIdentity identity) {
    this.client = client;
    this.threads = threads;
    this.identity = identity;
  }

  private static CloseableHttpClient client(ClientSettings settings, TlsClientConfig tls) {
    int connectMillis =
        (int) Math.max(1, Math.min(settings.connectTimeout().toMillis(), Integer.MAX_VALUE));
    return HttpClientBuilder.create()
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setConnectTimeout(connectMillis)
                .setNormalizeUri(false)
                .setAuthenticationEnabled(false)
                .build())
        .setConnectionManager(connections(tls))
        // Only for cookies, which are disabled; reading the default list takes time.
        .setPublicSuffixMatcher(new PublicSuffixMatcher(List.of(), List.of()))
        .setRoutePlanner(new SystemDefaultRoutePlanner(ProxySelector.getDefault()))
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableContentCompression()
        .build();
  }

  /** Without TLS, Java's trust store is not read and its TLS classes are not loaded. */
  private static HttpClientConnectionManager connections(TlsClientConfig tls) {
    RegistryBuilder<ConnectionSocketFactory> schemes =
        RegistryBuilder.<ConnectionSocketFactory>create()
            .register("http", PlainConnectionSocketFactory.getSocketFactory());
    tls.context()
        .ifPresent(context -> schemes.register("https", new SSLConnectionSocketFactory(context)));
    PoolingHttpClientConnectionManager connections =
        new PoolingHttpClientConnectionManager(schemes.build());
    // The caller limits how many threads call.
    connections.setDefaultMaxPerRoute(Integer.MAX_VALUE);
    connections.setMaxTotal(Integer.MAX_VALUE);
    return connections;
  }

  /** A copy for another caller: the caller is identified in each request, not by the connection. */
  HttpExchange as(CallerIdentity other) {
    return new HttpExchange(client, threads, other);
  }

  /** Whether the request certainly did not reach the service. */
  static boolean isUnsent(IOException failure) {
    return failure instanceof ConnectException
        || failure instanceof ConnectTimeoutException
        || failure instanceof UnknownHostException;
  }

  /**
   * Sends a call.
   *
   * @param timeout for the whole answer, or, if it goes to a file, for more of it to arrive
   * @param file the target of an answer with status below 400, whose body is then empty; null for
   *     memory
   * @throws IOException if the answer is incomplete or cannot be written; {@link
   *     SocketTimeoutException} after the timeout
   */
  HttpAnswer send(URI instance, ServiceCall call, Duration timeout, @Nullable Path file)
      throws IOException {
    HttpAnswer first = sendOnce(instance, call, timeout, file);
    boolean needsTicket =
        first.status() == UNAUTHORIZED
            && first
                .headers("WWW-Authenticate")
                .anyMatch(value -> value.regionMatches(true, 0, "Negotiate", 0, 9));
    if (!needsTicket) {
      return first;
    }
    // The cookie has expired, or the service requires tickets although the configuration does not
    // say so.
    identity.authenticate(instance, timeout);
    return sendOnce(instance, call, timeout, file);
  }

  private HttpAnswer sendOnce(URI instance, ServiceCall call, Duration timeout, @Nullable Path file)
      throws IOException {
    HttpUriRequest request = request(instance, call, timeout);
    if (file == null) {
      Future<HttpAnswer> answer = threads.submit(() -> receive(request, null));
      return answer(answer, request, timeout, () -> 0);
    }
    try (AnswerFile saved = new AnswerFile(file)) {
      Future<HttpAnswer> answer = threads.submit(() -> receive(request, saved));
      return answer(answer, request, timeout, saved::received);
    }
  }

  private HttpAnswer receive(HttpUriRequest request, @Nullable AnswerFile file) throws IOException {
    try (CloseableHttpResponse response = client.execute(request)) {
      int status = response.getStatusLine().getStatusCode();
      HttpEntity entity = response.getEntity();
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      AnswerFile target = status < FIRST_ERROR ? file : null;
      if (target != null) {
        target.open();
      }
      if (entity != null) {
        InputStream content = entity.getContent();
        byte[] buffer = new byte[BUFFER];
        for (int length = content.read(buffer); length >= 0; length = content.read(buffer)) {
          if (target != null) {
            target.write(buffer, length);
          } else if (body.size() + length > MAX_ANSWER) {
            throw new IOException("the answer is longer than " + MAX_ANSWER + " bytes");
          } else {
            body.write(buffer, 0, length);
          }
        }
      }
      return new HttpAnswer(status, Arrays.asList(response.getAllHeaders()), body.toByteArray());
    }
  }

  /** Waits for the whole answer as long as more of it arrives within the timeout. */
  static HttpAnswer answer(
      Future<HttpAnswer> answer, HttpUriRequest request, Duration timeout, LongSupplier received)
      throws IOException {
    long before = 0;
    try {
      while (true) {
        try {
          return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          long now = received.getAsLong();
          if (now <= before) {
            request.abort();
            throw timeout(timeout, e);
          }
          before = now;
        }
      }
    } catch (InterruptedException e) {
      request.abort();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + request.getURI());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("cannot ask " + request.getURI() + ": " + e.getCause(), e);
    }
  }

  private HttpUriRequest request(URI instance, ServiceCall call, Duration timeout)
      throws IOException {
    // The cookie comes first: with a cookie, the query has no user name.
    String cookie = identity.cookie(instance, timeout).orElse("");
    String target = call.target(identity.query(instance));
    RequestBuilder request =
        RequestBuilder.create(call.method())
            .setUri(URI.create(instance + target))
            .addHeader("Accept", "application/json, application/problem+json");
    ServiceCall.Body body = call.body();
    if (body != null) {
      request.setEntity(new ByteArrayEntity(body.bytes())).addHeader("Content-Type", body.type());
    }
    if (!cookie.isEmpty()) {
      request.addHeader("Cookie", cookie);
    }
    for (Map.Entry<String, String> header : call.headers().entrySet()) {
      request.addHeader(header.getKey(), header.getValue());
    }
    return request.build();
  }

  private static SocketTimeoutException timeout(Duration timeout, TimeoutException cause) {
    SocketTimeoutException failure =
        new SocketTimeoutException("no answer within " + timeout.toMillis() / 1000.0 + " s");
    failure.initCause(cause);
    return failure;
  }

  /** Closes the connections, of all copies too. */
  @Override
  public void close() {
    threads.shutdown();
    HttpClientUtils.closeQuietly(client);
  }
}
