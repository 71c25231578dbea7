package dev.weir.workflow.jobserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.protocol.PortRange;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster's HTTP endpoint for jobs and runs. A waiting request holds no thread. A
 * malformed request affects no other request.
 */
public final class JobServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobServer.class);
  private static final String JOBS = "/v1/jobs";
  private static final String SESSION = "/v1/session";
  private static final String RUNS = "/v1/runs";
  private static final String DESCRIPTION = "/v1/openapi.json";

  /** Each body being read and each answer being written holds a thread. */
  private static final int THREADS = 64;

  private static final int BACKLOG = 1_024;

  private static final long CLOSE_MILLIS = 1_000;

  private static final int BUFFER_BYTES = 1 << 16;

  /** A connection that sends more than this beyond the limit is closed. */
  private static final long MAX_SKIPPED_BYTES = 1L << 30;

  private static final String TOO_LARGE =
      "A request has more than "
          + JobCodec.MOST_BYTES
          + " bytes (1 MiB): put what makes it large into a file in HDFS, and make that an input of"
          + " the job";

  private static final String ALTERED = "The body is not the one that was signed";

  private final HttpServer server;
  private final JobHandler jobHandler;
  private final RunHandler runHandler;
  private final RequestAuthenticator authenticator;
  private final ExecutorService threads = threads();
  private final HttpHeads heads = new HttpHeads("job-heads");

  /** The number of requests without an answer. */
  private int open;

  /**
   * Answers requests about jobs and the session. Called by several threads; calls may block on
   * HDFS.
   */
  interface JobHandler {

    CompletableFuture<HttpReply> submit(String json);

    /** Returns a job's status when it has ended or the wait is over. */
    CompletableFuture<HttpReply> status(String id, long waitSeconds);

    /** Returns the jobs that ended after a number, when there is one or the wait is over. */
    CompletableFuture<HttpReply> ended(long after, long waitSeconds);

    CompletableFuture<HttpReply> list();

    CompletableFuture<HttpReply> cancel(String id);

    CompletableFuture<HttpReply> sessionStatus();

    /** Stops the session, now or when it is idle. */
    CompletableFuture<HttpReply> stop(boolean whenIdle);
  }

  /** Answers requests about runs. Called by several threads; calls do not block. */
  public interface RunHandler {

    /** Submits a run whose plan is in its directory. */
    CompletableFuture<HttpReply> submit(String json);

    /** Returns the live runs. */
    CompletableFuture<HttpReply> list();

    /** Returns a run's state when it has ended or the wait is over. */
    CompletableFuture<HttpReply> status(String id, long waitSeconds);

    CompletableFuture<HttpReply> cancel(String id);
  }

  /** Creates a server on all addresses, on a free port of the range. */
  public JobServer(
      JobHandler jobHandler,
      RunHandler runHandler,
      RequestAuthenticator authenticator,
      PortRange ports)
      throws IOException {
    this.runHandler = runHandler;
    this.jobHandler = jobHandler;
    this.authenticator = authenticator;
    this.server = ports.bind(port -> HttpServer.create(new InetSocketAddress(port), BACKLOG));
    server.setExecutor(heads);
    server.createContext("/", this::handle);
  }

  /** Creates the threads, with an unbounded queue because the server does not handle rejections. */
  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            HttpHeads.REQUEST_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreadFactory.named("jobs"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public void start() {
    server.start();
  }

  /**
   * Verifies the head of a request, and passes it on if it is signed with the key. Does not read
   * the body: a known caller with an old request gets its refusal after its body was read.
   *
   * @throws IOException after an unknown caller was refused, so that the server closes the
   *     connection and does not read the body, as it would do at the end of an exchange
   */
  private void handle(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    String header = exchange.getRequestHeaders().getFirst(HmacSigner.REQUEST_HEADER);
    RequestAuthenticator.Result verified =
        authenticator.verify(
            exchange.getRequestMethod(), uri.toString(), header == null ? "" : header);
    if (verified.isByKnownCaller()) {
      // Counted first: a request that stops the session is answered before the server closes.
      opened();
      try {
        threads.execute(() -> answer(exchange, verified));
      } catch (OutOfMemoryError e) {
        closed();
        throw new IOException("No thread for a request", e);
      }
      return;
    }
    exchange.getResponseHeaders().set("Connection", "close");
    send(exchange, "", refused(uri, verified.refusal()));
    throw new IOException("Answered without the body: " + verified.refusal());
  }

  private static HttpReply refused(URI uri, @Nullable String refusal) {
    return uri.getPath().equals(DESCRIPTION)
        ? description()
        : HttpReply.error(HttpReply.UNAUTHORIZED, String.valueOf(refusal));
  }

  private void answer(HttpExchange exchange, RequestAuthenticator.Result verified) {
    CompletableFuture<HttpReply> reply;
    try {
      byte[] body = exchange.getRequestBody().readNBytes(JobCodec.MOST_BYTES + 1);
      if (body.length > JobCodec.MOST_BYTES) {
        skip(exchange.getRequestBody());
        reply = done(HttpReply.error(HttpReply.TOO_LARGE, TOO_LARGE));
      } else if (verified.refusal() != null) {
        reply = done(refused(exchange.getRequestURI(), verified.refusal()));
      } else if (verified.covers(body)) {
        reply = route(exchange.getRequestMethod(), exchange.getRequestURI(), body);
      } else {
        reply = done(HttpReply.error(HttpReply.UNAUTHORIZED, ALTERED));
      }
    } catch (IOException e) {
      LOG.debug("A request was not read completely", e);
      exchange.close();
      closed();
      return;
    }
    Future<?> unused =
        reply
            .exceptionally(JobServer::failed)
            .thenAcceptAsync(answer -> write(exchange, verified.nonce(), answer), threads);
  }

  /**
   * Skips the rest of a body: a client reads the answer only after it has sent everything, and
   * closing earlier resets the connection. The request's time limit applies.
   */
  private static void skip(InputStream rest) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = MAX_SKIPPED_BYTES;
    for (int read = 0; read >= 0 && left > 0; left -= read) {
      read = rest.read(buffer);
    }
  }

  /** Returns the API description, which needs no authentication. */
  private static HttpReply description() {
    try (InputStream page = JobClient.class.getResourceAsStream("openapi.json")) {
      return page == null
          ? HttpReply.error(HttpReply.NOT_FOUND, "This session has no API description")
          : new HttpReply(HttpReply.OK, new String(page.readAllBytes(), UTF_8));
    } catch (IOException e) {
      return HttpReply.error(HttpReply.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  private static HttpReply failed(Throwable failure) {
    LOG.warn("A request failed", failure);
    return HttpReply.error(
        HttpReply.UNAVAILABLE, "The session cannot answer now: " + failure.getMessage());
  }

  private CompletableFuture<HttpReply> route(String method, URI uri, byte[] body) {
    try {
      String path = uri.getPath();
      if (path.equals(DESCRIPTION)) {
        return done(description());
      }
      Map<String, String> query = query(uri.getRawQuery());
      if (path.equals(JOBS)) {
        return jobs(method, query, body);
      }
      if (path.startsWith(JOBS + "/")) {
        return job(method, path.substring(JOBS.length() + 1), query);
      }
      if (path.equals(RUNS)) {
        return runs(method, body);
      }
      if (path.startsWith(RUNS + "/")) {
        return run(method, path.substring(RUNS.length() + 1), query);
      }
      if (path.equals(SESSION)) {
        return session(method, query);
      }
      return done(HttpReply.error(HttpReply.NOT_FOUND, "Not found: " + path));
    } catch (NumberFormatException e) {
      return done(HttpReply.error(HttpReply.BAD_REQUEST, "Not a number in " + uri.getRawQuery()));
    } catch (RuntimeException e) {
      LOG.warn("Cannot answer {} {}", method, uri, e);
      return done(HttpReply.error(HttpReply.FAILED, String.valueOf(e.getMessage())));
    }
  }

  private CompletableFuture<HttpReply> jobs(String method, Map<String, String> query, byte[] body) {
    return switch (method) {
      case "POST" -> jobHandler.submit(new String(body, UTF_8));
      case "GET" ->
          query.containsKey("after")
              ? jobHandler.ended(number(query, "after"), number(query, "wait"))
              : jobHandler.list();
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> job(String method, String id, Map<String, String> query) {
    return switch (method) {
      case "GET" -> jobHandler.status(id, number(query, "wait"));
      case "DELETE" -> jobHandler.cancel(id);
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> runs(String method, byte[] body) {
    return switch (method) {
      case "POST" -> runHandler.submit(new String(body, UTF_8));
      case "GET" -> runHandler.list();
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> run(String method, String id, Map<String, String> query) {
    return switch (method) {
      case "GET" -> runHandler.status(id, number(query, "wait"));
      case "DELETE" -> runHandler.cancel(id);
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> session(String method, Map<String, String> query) {
    return switch (method) {
      case "GET" -> jobHandler.sessionStatus();
      case "DELETE" -> jobHandler.stop("idle".equals(query.get("when")));
      default -> notAllowed(method);
    };
  }

  private static CompletableFuture<HttpReply> notAllowed(String method) {
    return done(
        HttpReply.error(HttpReply.NOT_ALLOWED, "The method " + method + " is not allowed here"));
  }

  private static long number(Map<String, String> query, String name) {
    return Long.parseLong(query.getOrDefault(name, "0"));
  }

  /** Parses the parameters: numbers and words, which need no unescaping. */
  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String pair : raw == null ? List.<String>of() : List.of(raw.split("&", -1))) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return query;
  }

  private void write(HttpExchange exchange, String nonce, HttpReply reply) {
    try (exchange) {
      send(exchange, nonce, reply);
    } catch (IOException e) {
      LOG.debug("A client closed its connection before the answer", e);
    } finally {
      closed();
    }
  }

  private void send(HttpExchange exchange, String nonce, HttpReply reply) throws IOException {
    byte[] body = reply.json().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (!nonce.isEmpty()) {
      exchange
          .getResponseHeaders()
          .set(HmacSigner.ANSWER_HEADER, authenticator.sign(nonce, reply, body));
    }
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.getResponseBody().flush();
  }

  private synchronized void opened() {
    open++;
  }

  private synchronized void closed() {
    open--;
    notifyAll();
  }

  /** Waits for open answers. The server's own close always waits for its whole delay. */
  private synchronized void awaitAnswers() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    try {
      for (long left = CLOSE_MILLIS; open > 0 && left > 0; ) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    // Open answers get a second; requests that wait for a job get no answer.
    awaitAnswers();
    server.stop(0);
    heads.close();
    threads.shutdownNow();
  }
}
