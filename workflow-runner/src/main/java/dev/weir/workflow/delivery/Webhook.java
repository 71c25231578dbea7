package dev.weir.workflow.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.text.RedactedUrl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The URL to which the end of a run is posted. The URL may hold a token, so it travels in the
 * credentials of the ApplicationMaster, and messages name its host only. A webhook that hangs or
 * fails does not fail a run, and delays it by {@link #BOUND} at most. Immutable.
 */
public final class Webhook {

  /** The longest duration of a delivery, with both tries. */
  public static final Duration BOUND = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
  private static final Text KEY = new Text("weir-webhook");
  private static final int ERROR = 300;

  private final URI url;
  private final Duration bound;

  private Webhook(URI url, Duration bound) {
    this.url = url;
    this.bound = bound;
  }

  /**
   * Creates a webhook.
   *
   * @param url a URL of http or https
   * @throws IllegalArgumentException if the URL has another scheme, a user, or is malformed
   */
  public static Webhook of(String url) {
    return of(url, BOUND);
  }

  static Webhook of(String url, Duration bound) {
    if (isWebhook(url)) {
      try {
        URI parsed = URI.create(url);
        if (parsed.getHost() != null && parsed.getRawUserInfo() == null) {
          return new Webhook(parsed, bound);
        }
      } catch (IllegalArgumentException e) {
        // Its message has the URL, which may be secret.
      }
    }
    throw new IllegalArgumentException(
        "The webhook " + RedactedUrl.hostOf(url) + " is no URL such as https://HOST/PATH");
  }

  /** Returns whether a text is the URL of a webhook; otherwise it is a command. */
  public static boolean isWebhook(String text) {
    return text.startsWith("http://") || text.startsWith("https://");
  }

  /** Returns the webhook of an ApplicationMaster; empty if it has none. */
  public static Optional<Webhook> of(Credentials credentials) {
    byte[] url = credentials.getSecretKey(KEY);
    return url == null ? Optional.empty() : Optional.of(of(new String(url, UTF_8)));
  }

  /** Adds the URL to the credentials of an ApplicationMaster. */
  public void addTo(Credentials credentials) {
    credentials.addSecretKey(KEY, url.toString().getBytes(UTF_8));
  }

  /** A delivery that has begun. */
  public interface Delivery {
    /**
     * Waits until the delivery has ended, until {@link #BOUND} is over. Failures are logged.
     *
     * @return the failure; empty if the webhook accepted the notice
     */
    Optional<String> await() throws InterruptedException;
  }

  /** Begins to deliver a notice, with a second try. */
  public Delivery post(RunNotice notice) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(bound).build();
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .timeout(bound)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(notice.toJson()))
            .build();
    long end = System.nanoTime() + bound.toNanos();
    CompletableFuture<Integer> first = send(client, request);
    CompletableFuture<Integer> second =
        first
            .handle((status, failure) -> failure == null && status < ERROR)
            .thenCompose(done -> done ? first : send(client, request));
    return () -> await(second, end);
  }

  private static CompletableFuture<Integer> send(HttpClient client, HttpRequest request) {
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.discarding())
        .thenApply(HttpResponse::statusCode);
  }

  private Optional<String> await(CompletableFuture<Integer> answer, long end)
      throws InterruptedException {
    String problem;
    try {
      int status = answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (status < ERROR) {
        return Optional.empty();
      }
      problem = "HTTP " + status;
    } catch (TimeoutException e) {
      answer.cancel(true);
      problem = "no answer in " + bound.toSeconds() + " s";
    } catch (ExecutionException e) {
      // The message of the cause may have the URL.
      Throwable cause = e.getCause();
      problem = cause instanceof IOException ? cause.getClass().getSimpleName() : "an error";
    }
    String text = "The notice to " + RedactedUrl.hostOf(url.toString()) + " failed: " + problem;
    LOG.warn("{}", text);
    return Optional.of(text);
  }

  @Override
  public String toString() {
    return RedactedUrl.hostOf(url.toString());
  }
}
