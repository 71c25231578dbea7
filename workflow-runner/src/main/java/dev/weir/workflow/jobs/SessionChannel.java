package dev.weir.workflow.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends signed requests to a session, wherever it is just now. A session that does not answer is
 * looked for again: its ApplicationMaster may have been started anew elsewhere. Thread-safe.
 */
final class SessionChannel {

  private static final Logger LOG = LoggerFactory.getLogger(SessionChannel.class);
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 300;
  private static final int NONCE_BYTES = 16;
  private static final int UNAUTHORIZED = 401;
  private static final int UNAVAILABLE = 503;
  private static final int ERROR = 400;
  private static final int OK = 200;
  private static final int NOT_OK = 300;
  private static final byte[] NOTHING = {};

  private final SessionLocator locator;
  private final Duration timeout;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private volatile @Nullable SessionEndpoint known;

  /**
   * Creates a channel.
   *
   * @param timeout how long a session may not answer
   */
  SessionChannel(SessionLocator locator, Duration timeout, Clock clock) {
    this.locator = locator;
    this.timeout = timeout;
    this.clock = clock;
  }

  /**
   * Loads what a request needs.
   *
   * @see JobClient#prepare
   */
  static void prepare() {
    String unused =
        new HmacSigner(Secret.generate(new SecureRandom()).toHex())
            .answer("", OK, Sha256.hex(NOTHING));
    try {
      connect(new SessionEndpoint("http://127.0.0.1", "").resolve("/")).disconnect();
    } catch (IOException e) {
      LOG.debug("Nothing was to be sent", e);
    }
  }

  /**
   * HttpURLConnection, which Hadoop uses too: the JDK's newer client needs a third of a second of
   * processor time before its first request, a hundred times as much.
   */
  private static HttpURLConnection connect(URI address) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout((int) CONNECT.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    return connection;
  }

  /**
   * Sends a request that may be sent again.
   *
   * @param target path and query
   * @param body empty for none
   * @param wait how long the session may take by itself
   * @return the answer's body
   * @throws JobException when the session refuses, or has ended
   * @throws IOException when it has not answered for as long as there is patience
   */
  String send(String method, String target, String body, Duration wait)
      throws IOException, InterruptedException {
    return send(method, target, body, wait, timeout);
  }

  /**
   * Sends a request with another timeout.
   *
   * @param silence how long the session may not answer
   */
  String send(String method, String target, String body, Duration wait, Duration silence)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + silence.toNanos();
    Duration most = wait.plus(bounded(silence));
    boolean refused = false;
    while (true) {
      try {
        return sendOnce(method, target, body, most);
      } catch (JobException e) {
        boolean mayBeRepeated = e.status() == UNAUTHORIZED && !refused;
        if (!mayBeRepeated && (e.status() != UNAVAILABLE || System.nanoTime() > end)) {
          throw e;
        }
        // A request whose connection was cut is sent anew by the JDK, and then known already.
        refused = e.status() == UNAUTHORIZED;
        LOG.debug("The session is not ready", e);
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LOG.debug("The session does not answer; looking for it again", e);
        known = null;
        locator.requireAlive();
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  /** A short timeout also limits the wait for a single answer. */
  private static Duration bounded(Duration silence) {
    Duration least = silence.compareTo(CONNECT) < 0 ? CONNECT : silence;
    return least.compareTo(ANSWER) > 0 ? ANSWER : least;
  }

  private String sendOnce(String method, String target, String body, Duration most)
      throws IOException, InterruptedException {
    SessionEndpoint endpoint = known;
    if (endpoint == null) {
      endpoint = locator.find();
      known = endpoint;
    }
    HmacSigner signer = new HmacSigner(endpoint.key());
    byte[] bytes = body.getBytes(UTF_8);
    String nonce = nonce();
    HttpURLConnection connection = connect(endpoint.resolve(target));
    connection.setRequestMethod(method);
    connection.setReadTimeout((int) most.toMillis());
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty(
        HmacSigner.REQUEST_HEADER,
        signer.authorization(
            new HmacSigner.Request(method, target, clock.millis(), nonce, Sha256.hex(bytes))));
    return checked(endpoint, signer, nonce, exchange(connection, bytes));
  }

  /** Reads and writes on another thread: only waiting can be interrupted. */
  private static Response exchange(HttpURLConnection connection, byte[] body)
      throws IOException, InterruptedException {
    FutureTask<Response> exchange = new FutureTask<>(() -> exchangeNow(connection, body));
    Threads.POOL.execute(exchange);
    try {
      return exchange.get();
    } catch (InterruptedException e) {
      connection.disconnect();
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Created for the first request. */
  private static final class Threads {

    static final ExecutorService POOL =
        Executors.newCachedThreadPool(DaemonThreadFactory.named("session-request"));

    private Threads() {}
  }

  /** An answer. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, and never compared.
  private record Response(int status, String signature, byte[] body) {}

  private static Response exchangeNow(HttpURLConnection connection, byte[] body)
      throws IOException {
    if (body.length > 0) {
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    int status = connection.getResponseCode();
    String signature = connection.getHeaderField(HmacSigner.ANSWER_HEADER);
    try (InputStream in =
        status < ERROR ? connection.getInputStream() : connection.getErrorStream()) {
      return new Response(
          status, signature == null ? "" : signature, in == null ? NOTHING : in.readAllBytes());
    }
  }

  private static String checked(
      SessionEndpoint endpoint, HmacSigner signer, String nonce, Response response)
      throws IOException {
    int status = response.status();
    String answer = new String(response.body(), UTF_8);
    String wanted = signer.answer(nonce, status, Sha256.hex(response.body()));
    if (!HmacSigner.same(wanted, response.signature())) {
      throw new IOException(
          "What answers at " + endpoint.url() + " is not the session: " + status + " " + answer);
    }
    if (status < OK || status >= NOT_OK) {
      throw new JobException(status, StatusCodec.readError(answer));
    }
    return answer;
  }

  private String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }
}
