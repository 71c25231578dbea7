package dev.weir.workflow.htmlreport;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the report of a live run over HTTP: the page, and its data, which the page fetches again
 * every few seconds. The data is at most a second old.
 */
public final class ReportServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReportServer.class);
  private static final String DATA = "data.json";
  private static final String TEXT = "text/plain";
  private static final long FRESH_MILLIS = 1_000;
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;

  private final HttpServer server;
  private final String path;
  private final CallableRaisingIOE<View> source;
  private final Predicate<HttpExchange> mayRead;
  private final LongSupplier millis;
  private @Nullable View last;
  private long lastMillis;

  /**
   * What a server runs on.
   *
   * @param executor reads and answers requests
   * @param millis a clock in milliseconds
   */
  public record Threads(Executor executor, LongSupplier millis) {}

  /**
   * The state of a run.
   *
   * @param failure the reason of its failure, in lines; empty for none
   */
  public record View(List<ReportRun> runs, String failure) {

    /** Copies the list. */
    public View {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Creates a server.
   *
   * @param address to listen on
   * @param path of the page; starts and ends with a slash
   * @param source reads the current state
   * @param mayRead whether a request is answered
   * @throws IOException if the address cannot be used
   */
  public ReportServer(
      InetSocketAddress address,
      String path,
      CallableRaisingIOE<View> source,
      Predicate<HttpExchange> mayRead,
      Threads threads)
      throws IOException {
    this.path = path;
    this.source = source;
    this.mayRead = mayRead;
    this.millis = threads.millis();
    this.server = HttpServer.create(address, 0);
    server.setExecutor(threads.executor());
    server.createContext("/", this::handle);
  }

  /** Starts to answer. */
  public void start() {
    server.start();
  }

  /** Returns the port. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      respond(exchange);
    }
  }

  private void respond(HttpExchange exchange) throws IOException {
    String asked = exchange.getRequestURI().getPath();
    if (!mayRead.test(exchange)) {
      answer(exchange, FORBIDDEN, TEXT, "You may not read this run");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      answer(exchange, NOT_ALLOWED, TEXT, "Only GET is allowed");
    } else if (!asked.equals(path) && !asked.equals(path + DATA)) {
      answer(exchange, NOT_FOUND, TEXT, "Not found");
    } else {
      show(exchange, asked.equals(path));
    }
  }

  private void show(HttpExchange exchange, boolean page) throws IOException {
    String body;
    try {
      body = body(page);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot read the state of the run", e);
      answer(
          exchange,
          UNAVAILABLE,
          TEXT,
          "The state of the run cannot be read now: " + e.getMessage());
      return;
    }
    answer(exchange, OK, page ? "text/html" : "application/json", body);
  }

  /** One caller at a time: the data of a large run need much memory. */
  private synchronized String body(boolean page) throws IOException {
    View view = current();
    return page
        ? ReportWriter.toHtml(view.runs(), view.failure(), DATA)
        : ReportData.of(view.runs(), view.failure(), DATA);
  }

  private View current() throws IOException {
    View view = last;
    if (view == null || millis.getAsLong() - lastMillis >= FRESH_MILLIS) {
      view = source.apply();
      last = view;
      lastMillis = millis.getAsLong();
    }
    return view;
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("X-Frame-Options", "DENY");
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
