package dev.weir.workflow.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
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
  private static final int UNAVAILABLE = 503;
  private static final int OK = 200;
  private static final int NOT_OK = 300;
  private static final byte[] NOTHING = {};

  private final SessionLocator locator;
  private final Duration patience;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private volatile @Nullable SessionEndpoint known;

  /**
   * A channel.
   *
   * @param patience how long a session may not answer
   */
  SessionChannel(SessionLocator locator, Duration patience, Clock clock) {
    this.locator = locator;
    this.patience = patience;
    this.clock = clock;
  }

  /** One for all channels of the process: it has threads, and takes long to make. */
  private static final class Http {

    static final HttpClient CLIENT =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    private Http() {}
  }

  /** Loads what a request needs. */
  static void prepare() {
    LOG.debug("Requests are sent by {}", Http.CLIENT);
    String unused = new Seal(Seal.newKey(new SecureRandom())).answer("", OK, Seal.hash(NOTHING));
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
    return send(method, target, body, wait, patience);
  }

  /**
   * The same with another patience.
   *
   * @param silence how long the session may not answer
   */
  String send(String method, String target, String body, Duration wait, Duration silence)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + silence.toNanos();
    while (true) {
      try {
        return sendOnce(method, target, body, wait);
      } catch (JobException e) {
        if (e.status() != UNAVAILABLE || System.nanoTime() > end) {
          throw e;
        }
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

  private String sendOnce(String method, String target, String body, Duration wait)
      throws IOException, InterruptedException {
    SessionEndpoint endpoint = known;
    if (endpoint == null) {
      endpoint = locator.find();
      known = endpoint;
    }
    Seal seal = new Seal(endpoint.key());
    byte[] bytes = body.getBytes(UTF_8);
    String nonce = nonce();
    HttpRequest request =
        HttpRequest.newBuilder(endpoint.resolve(target))
            .timeout(wait.plus(ANSWER))
            .header("Content-Type", "application/json")
            .header(
                Seal.REQUEST_HEADER,
                seal.authorization(
                    new Seal.Request(method, target, clock.millis(), nonce, Seal.hash(bytes))))
            .method(
                method,
                bytes.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(bytes))
            .build();
    HttpResponse<byte[]> response =
        Http.CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return checked(endpoint, seal, nonce, response);
  }

  private static String checked(
      SessionEndpoint endpoint, Seal seal, String nonce, HttpResponse<byte[]> response)
      throws IOException {
    int status = response.statusCode();
    String answer = new String(response.body(), UTF_8);
    String wanted = seal.answer(nonce, status, Seal.hash(response.body()));
    String signature = response.headers().firstValue(Seal.ANSWER_HEADER).orElse("");
    if (!Seal.same(wanted, signature)) {
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
