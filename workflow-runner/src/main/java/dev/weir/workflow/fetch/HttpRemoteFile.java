package dev.weir.workflow.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of a web server. A transfer is resumed only with the version of its first part. */
final class HttpRemoteFile implements RemoteFile {

  private static final Logger LOG = LoggerFactory.getLogger(HttpRemoteFile.class);
  private static final int MOST_REDIRECTS = 5;
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int OTHER_STATUS = 300;
  private static final int RANGE_REFUSED = 416;
  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  /** Request timeout, too early, too many requests. */
  private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429);

  private static final Map<Integer, String> REMEDIES =
      Map.of(
          401, "Unauthorized: put user and password into the URL (they are not recorded)",
          403, "Forbidden: ask for access, or renew the signature of the URL",
          404, "Not Found: correct the URL in the workflow",
          410, "Gone: correct the URL in the workflow");

  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-\\d+/(\\d+|\\*)");

  private final HttpClient client;
  private final URI url;
  private final Duration silence;

  HttpRemoteFile(HttpClient client, URI url, Duration silence) {
    this.client = client;
    this.url = url;
    this.silence = silence;
  }

  @Override
  public RemoteStatus status() throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = answer("HEAD", Map.of(), BodyHandlers.ofInputStream());
    answer.body().close();
    if (answer.statusCode() >= CLIENT_ERROR) {
      // A signature may hold for GET only.
      answer = answer("GET", Map.of("Range", "bytes=0-0"), BodyHandlers.ofInputStream());
      answer.body().close();
    }
    requireFound(answer);
    HttpHeaders headers = answer.headers();
    return new RemoteStatus(
        answer.statusCode() == PARTIAL ? range(headers).total() : length(headers),
        version(headers),
        modifiedMillis(headers));
  }

  @Override
  public void readInto(FetchTarget target) throws IOException, InterruptedException {
    Map<String, String> headers = Map.of();
    // A weak ETag does not say that the bytes are the same.
    if (target.position() > 0 && !target.version().isEmpty() && !isWeak(target.version())) {
      headers = Map.of("Range", "bytes=" + target.position() + "-", "If-Range", target.version());
    }
    TargetSubscriber[] last = new TargetSubscriber[1];
    BodyHandler<Integer> body =
        answer -> {
          boolean isContent = answer.statusCode() == OK || answer.statusCode() == PARTIAL;
          last[0] = new TargetSubscriber(isContent ? target : null);
          if (isContent) {
            last[0].begin(
                () -> {
                  if (answer.statusCode() == PARTIAL) {
                    proceed(target, answer.headers());
                  } else {
                    target.begin(0, length(answer.headers()), version(answer.headers()));
                  }
                });
          }
          return last[0];
        };
    try {
      HttpResponse<Integer> answer = answer("GET", headers, body, target);
      if (answer.statusCode() == RANGE_REFUSED) {
        target.begin(0, RemoteStatus.UNKNOWN, "");
        throw new IOException("the file has become shorter");
      }
      requireFound(answer);
    } finally {
      if (last[0] != null) {
        last[0].end();
      }
    }
  }

  /** Some servers ignore If-Range. */
  private static void proceed(FetchTarget target, HttpHeaders headers) throws IOException {
    Range range = range(headers);
    String version = version(headers);
    if (range.from() > 0 && !version.isEmpty() && !version.equals(target.version())) {
      target.begin(0, RemoteStatus.UNKNOWN, "");
      throw new IOException("the file has changed meanwhile");
    }
    target.begin(range.from(), range.total(), version);
  }

  private static boolean isWeak(String version) {
    return version.startsWith("W/");
  }

  private static void requireFound(HttpResponse<?> answer) throws IOException {
    int status = answer.statusCode();
    if (status < OTHER_STATUS) {
      return;
    }
    String text = "HTTP " + status + " " + REMEDIES.getOrDefault(status, "");
    if (status >= CLIENT_ERROR && status < SERVER_ERROR && !TEMPORARY.contains(status)) {
      throw new FetchException(
          Result.REFUSED,
          REMEDIES.containsKey(status) ? text : text.strip() + ": correct the URL in the workflow");
    }
    throw new IOException(text.strip());
  }

  private <T> HttpResponse<T> answer(
      String method, Map<String, String> headers, BodyHandler<T> body)
      throws IOException, InterruptedException {
    return answer(method, headers, body, null);
  }

  /** Sends a request, and follows redirections. User and password go to the first host only. */
  private <T> HttpResponse<T> answer(
      String method, Map<String, String> headers, BodyHandler<T> body, @Nullable FetchTarget target)
      throws IOException, InterruptedException {
    URI at = url;
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(withoutUser(at))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .timeout(silence);
      headers.forEach(request::header);
      if (at.getRawUserInfo() != null) {
        String user = URLDecoder.decode(at.getRawUserInfo().replace("+", "%2B"), UTF_8);
        request.header(
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8)));
      }
      HttpResponse<T> answer = await(client.sendAsync(request.build(), body), target);
      String location = answer.headers().firstValue("Location").orElse("");
      if (!REDIRECTS.contains(answer.statusCode()) || location.isEmpty()) {
        return answer;
      }
      URI next = redirected(at, location);
      boolean isSameHost =
          next.getRawUserInfo() == null
              && next.getScheme().equals(at.getScheme())
              && next.getPort() == at.getPort()
              && String.valueOf(next.getHost()).equalsIgnoreCase(at.getHost());
      at = isSameHost ? withUser(next, at.getRawUserInfo()) : next;
    }
    throw new FetchException(
        Result.REFUSED, "more than " + MOST_REDIRECTS + " redirections: correct the URL");
  }

  private static URI redirected(URI from, String location) throws IOException {
    URI next;
    try {
      next = withoutUser(from).resolve(location);
    } catch (IllegalArgumentException e) {
      throw new IOException("the server redirects to an invalid URL", e);
    }
    boolean isWeb = "https".equals(next.getScheme()) || "http".equals(next.getScheme());
    if (!isWeb || ("https".equals(from.getScheme()) && "http".equals(next.getScheme()))) {
      throw new FetchException(
          Result.REFUSED,
          "the server redirects to "
              + next.getScheme()
              + ", which is not protected: use the URL to which it redirects");
    }
    return next;
  }

  private static URI withoutUser(URI at) throws IOException {
    return at.getRawUserInfo() == null ? at : withUser(at, null);
  }

  private static URI withUser(URI at, @Nullable String user) throws IOException {
    String host = at.getHost() + (at.getPort() < 0 ? "" : ":" + at.getPort());
    String query = at.getRawQuery() == null ? "" : "?" + at.getRawQuery();
    try {
      return new URI(
          at.getScheme()
              + "://"
              + (user == null ? "" : user + "@")
              + host
              + at.getRawPath()
              + query);
    } catch (URISyntaxException e) {
      throw new IOException("the URL is invalid", e);
    }
  }

  /** Waits for a response with its body, as long as bytes arrive. */
  private <T> HttpResponse<T> await(
      CompletableFuture<HttpResponse<T>> answer, @Nullable FetchTarget target)
      throws IOException, InterruptedException {
    long before;
    do {
      before = target == null ? 0 : target.position();
      try {
        return answer.get(silence.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IOException(e.getCause());
      } catch (InterruptedException e) {
        answer.cancel(true);
        throw e;
      } catch (TimeoutException e) {
        LOG.debug("No answer yet, or not all of it");
      }
    } while (target != null && target.position() > before);
    answer.cancel(true);
    throw new IOException("no byte came in " + silence.toSeconds() + " s");
  }

  private static String version(HttpHeaders headers) {
    return headers.firstValue("ETag").or(() -> headers.firstValue("Last-Modified")).orElse("");
  }

  private static long length(HttpHeaders headers) {
    return headers.firstValueAsLong("Content-Length").orElse(RemoteStatus.UNKNOWN);
  }

  private static long modifiedMillis(HttpHeaders headers) {
    try {
      return headers
          .firstValue("Last-Modified")
          .map(
              text ->
                  ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                      .toInstant()
                      .toEpochMilli())
          .orElse(RemoteStatus.UNKNOWN);
    } catch (DateTimeException e) {
      return RemoteStatus.UNKNOWN;
    }
  }

  /** A part of a file. */
  private record Range(long from, long total) {}

  private static Range range(HttpHeaders headers) throws IOException {
    Matcher range = CONTENT_RANGE.matcher(headers.firstValue("Content-Range").orElse(""));
    if (!range.matches()) {
      throw new IOException("the server does not say which part of the file it sends");
    }
    return new Range(
        Long.parseLong(range.group(1)),
        range.group(2).equals("*") ? RemoteStatus.UNKNOWN : Long.parseLong(range.group(2)));
  }
}
