package dev.weir.workflow.jobserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.workflow.concurrent.DaemonThreadFactory;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.protocol.UnknownCallers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster's only HTTP endpoint: takes jobs and answers questions about them. A
 * request that waits holds no thread. Whatever a client sends, it costs no more than its own
 * request.
 */
public final class JobServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobServer.class);
  private static final String JOBS = "/v1/jobs";
  private static final String SESSION = "/v1/session";
  private static final String RUNS = "/v1/runs";
  private static final String DESCRIPTION = "/v1/openapi.json";

  /** Each body that is being read, and each answer that is being written, holds one. */
  private static final int THREADS = 64;

  /** Requests whose caller is not known yet; each holds a thread while its head is read. */
  private static final int MOST_UNKNOWN = 256;

  /** Time enough to send a head and to have it verified. */
  private static final Duration GRACE = Duration.ofMillis(100);

  private static final int BACKLOG = 1_024;

  /** Beyond this a request that has not come to its end is cut off, and its thread is free. */
  private static final int REQUEST_SECONDS = 10;

  /** The same for an answer, counted from the request: the longest wait and then some. */
  private static final int ANSWER_SECONDS = 120;

  private static final long GOODBYE_MILLIS = 1_000;

  private static final int BUFFER_BYTES = 1 << 16;

  /** Whoever sends more than this much too much is cut off. */
  private static final long PASSED_OVER_BYTES = 1L << 30;

  private static final String TOO_LARGE =
      "A request has more than "
          + JobCodec.MOST_BYTES
          + " bytes (1 MiB): put what makes it large into a file in HDFS, and make that an input of"
          + " the job";

  private static final String ALTERED = "The body is not the one that was signed";

  private final HttpServer server;
  private final Desk desk;
  private final RunDesk runs;
  private final RequestAuthenticator gatekeeper;
  private final ExecutorService threads = threads();
  private final ExecutorService heads =
      Executors.newCachedThreadPool(DaemonThreadFactory.named("job-heads"));
  private final UnknownCallers unknown = new UnknownCallers(MOST_UNKNOWN, GRACE, System::nanoTime);

  /** Requests that were read and have no answer yet. */
  private int open;

  /** Who answers. Calls may block for as long as HDFS takes, and are made by several threads. */
  interface Desk {

    /** Takes a job. */
    CompletableFuture<HttpReply> submit(String json);

    /** A job, when it has ended or so many seconds have gone by. */
    CompletableFuture<HttpReply> status(String id, long waitSeconds);

    /**
     * The jobs that ended after one with a number, when there is one or the seconds have gone by.
     */
    CompletableFuture<HttpReply> ended(long after, long waitSeconds);

    /** All jobs. */
    CompletableFuture<HttpReply> list();

    /** Cancels a job. */
    CompletableFuture<HttpReply> cancel(String id);

    /** The pool itself. */
    CompletableFuture<HttpReply> pool();

    /** Ends the pool, now or when nothing is to be done any more. */
    CompletableFuture<HttpReply> stop(boolean whenIdle);
  }

  /** Who answers about runs. Calls do not block, and are made by several threads. */
  public interface RunDesk {

    /** Takes a run whose plan is in its directory. */
    CompletableFuture<HttpReply> submit(String json);

    /** The runs that go on. */
    CompletableFuture<HttpReply> list();

    /** A run, when it has ended or so many seconds have gone by. */
    CompletableFuture<HttpReply> status(String id, long waitSeconds);

    /** Cancels a run. */
    CompletableFuture<HttpReply> cancel(String id);
  }

  /** A server on a free port of all addresses. */
  public JobServer(Desk desk, RunDesk runs, RequestAuthenticator gatekeeper) throws IOException {
    this.runs = runs;
    this.desk = desk;
    this.gatekeeper = gatekeeper;
    setUnlessSet("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_SECONDS));
    setUnlessSet("sun.net.httpserver.maxRspTime", Integer.toString(ANSWER_SECONDS));
    // It writes the head of an answer and its body apart, and the second would wait for 40 ms until
    // the client's machine acknowledges the first.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    this.server = HttpServer.create(new InetSocketAddress(0), BACKLOG);
    server.setExecutor(this::meet);
    server.createContext("/", this::handle);
  }

  /** The JDK's server reads these settings once, when the process makes its first. */
  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * Has the head of a request read, by a thread that is interrupted, which closes the connection,
   * when too many others wait. Called by the server's only thread that accepts.
   */
  private void meet(Runnable request) {
    AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    try {
      UnknownCallers.Place place = unknown.enter(() -> interrupt(reader.get()));
      heads.execute(
          () -> {
            reader.set(Thread.currentThread());
            try {
              request.run();
            } finally {
              place.leave();
              // It was perhaps evicted after the last read.
              boolean unused = Thread.interrupted();
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that has not begun yet ends with the time limit of a request. */
  private static void interrupt(@Nullable Thread reader) {
    if (reader != null) {
      reader.interrupt();
    }
  }

  /** A queue behind them that has no end, for the server does not expect a refusal. */
  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            REQUEST_SECONDS,
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
   * Verifies the head of a request, and hands it on if it is signed with the key. No body is read
   * here.
   *
   * @throws IOException after a caller was refused, so that the server closes the connection and
   *     does not read the body, as it would do at the end of an exchange
   */
  private void handle(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    String header = exchange.getRequestHeaders().getFirst(HmacSigner.REQUEST_HEADER);
    RequestAuthenticator.Verdict verdict =
        gatekeeper.judge(exchange.getRequestMethod(), uri.toString(), header == null ? "" : header);
    String refusal = verdict.refusal();
    if (refusal == null) {
      // Before anybody hears of it: a request may be what ends the pool, and is answered all the
      // same.
      opened();
      threads.execute(() -> answer(exchange, verdict));
      return;
    }
    boolean isOpen = uri.getPath().equals(DESCRIPTION);
    exchange.getResponseHeaders().set("Connection", "close");
    send(
        exchange,
        verdict.nonce(),
        isOpen ? description() : HttpReply.error(HttpReply.UNAUTHORIZED, refusal));
    throw new IOException("Answered without the body: " + refusal);
  }

  private void answer(HttpExchange exchange, RequestAuthenticator.Verdict verdict) {
    CompletableFuture<HttpReply> reply;
    try {
      byte[] body = exchange.getRequestBody().readNBytes(JobCodec.MOST_BYTES + 1);
      if (body.length > JobCodec.MOST_BYTES) {
        passOver(exchange.getRequestBody());
        reply = done(HttpReply.error(HttpReply.TOO_LARGE, TOO_LARGE));
      } else if (verdict.covers(body)) {
        reply = route(exchange.getRequestMethod(), exchange.getRequestURI(), body);
      } else {
        reply = done(HttpReply.error(HttpReply.UNAUTHORIZED, ALTERED));
      }
    } catch (IOException e) {
      LOG.debug("A request does not come to its end", e);
      exchange.close();
      closed();
      return;
    }
    Future<?> unused =
        reply
            .exceptionally(JobServer::failed)
            .thenAcceptAsync(answer -> write(exchange, verdict.nonce(), answer), threads);
  }

  /**
   * A client hears an answer only when it has sent all: a connection that is ended before is reset.
   * Takes no longer than any request may.
   */
  private static void passOver(InputStream rest) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = PASSED_OVER_BYTES;
    for (int read = 0; read >= 0 && left > 0; left -= read) {
      read = rest.read(buffer);
    }
  }

  /** Says what may be asked, and so is for everybody. */
  private static HttpReply description() {
    try (InputStream page = JobClient.class.getResourceAsStream("openapi.json")) {
      return page == null
          ? HttpReply.error(HttpReply.NOT_FOUND, "This pool has no description")
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
        HttpReply.UNAVAILABLE, "The pool cannot answer now: " + failure.getMessage());
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
        return pool(method, query);
      }
      return done(HttpReply.error(HttpReply.NOT_FOUND, "Nothing is at " + path));
    } catch (NumberFormatException e) {
      return done(HttpReply.error(HttpReply.BAD_REQUEST, "Not a number in " + uri.getRawQuery()));
    } catch (RuntimeException e) {
      LOG.warn("Cannot answer {} {}", method, uri, e);
      return done(HttpReply.error(HttpReply.FAILED, String.valueOf(e.getMessage())));
    }
  }

  private CompletableFuture<HttpReply> jobs(String method, Map<String, String> query, byte[] body) {
    return switch (method) {
      case "POST" -> desk.submit(new String(body, UTF_8));
      case "GET" ->
          query.containsKey("after")
              ? desk.ended(number(query, "after"), number(query, "wait"))
              : desk.list();
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> job(String method, String id, Map<String, String> query) {
    return switch (method) {
      case "GET" -> desk.status(id, number(query, "wait"));
      case "DELETE" -> desk.cancel(id);
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> runs(String method, byte[] body) {
    return switch (method) {
      case "POST" -> runs.submit(new String(body, UTF_8));
      case "GET" -> runs.list();
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> run(String method, String id, Map<String, String> query) {
    return switch (method) {
      case "GET" -> runs.status(id, number(query, "wait"));
      case "DELETE" -> runs.cancel(id);
      default -> notAllowed(method);
    };
  }

  private CompletableFuture<HttpReply> pool(String method, Map<String, String> query) {
    return switch (method) {
      case "GET" -> desk.pool();
      case "DELETE" -> desk.stop("idle".equals(query.get("when")));
      default -> notAllowed(method);
    };
  }

  private static CompletableFuture<HttpReply> notAllowed(String method) {
    return done(HttpReply.error(HttpReply.NOT_ALLOWED, method + " is not for this"));
  }

  private static long number(Map<String, String> query, String name) {
    return Long.parseLong(query.getOrDefault(name, "0"));
  }

  /** The parameters are numbers and words, which nobody need escape. */
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
      LOG.debug("A client has not waited for its answer", e);
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
          .set(HmacSigner.ANSWER_HEADER, gatekeeper.sign(nonce, reply, body));
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

  /**
   * The server's own would wait for its whole time, whether there is anything to wait for or not.
   */
  private synchronized void awaitAnswers() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GOODBYE_MILLIS);
    try {
      for (long left = GOODBYE_MILLIS; open > 0 && left > 0; ) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    // A second for the answers that are on their way; those that wait for a job get none.
    awaitAnswers();
    server.stop(0);
    heads.shutdownNow();
    threads.shutdownNow();
  }
}
