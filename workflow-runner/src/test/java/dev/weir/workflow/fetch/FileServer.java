package dev.weir.workflow.fetch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A web server with one file, whose faults tests choose. It knows ranges, ETags and If-Range. */
final class FileServer implements AutoCloseable {

  private static final int OK = 200;
  private static final int PARTIAL = 206;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  /** The content, which has the ETag {@link #version}. */
  volatile byte[] content;

  volatile String version = "\"1\"";

  /** How many bytes each answer sends before the connection breaks; -1 for all. */
  volatile int breakAfter = -1;

  /** How many further answers break. */
  final AtomicInteger breaks = new AtomicInteger();

  /** The status of all answers; 0 for those of a server that works. */
  volatile int status;

  /** Where requests for other paths than {@code /file} are redirected. */
  volatile @Nullable String redirect;

  /** Whether the connection stays open without a byte after it should break. */
  volatile boolean silent;

  /** Whether If-Range is ignored. */
  volatile boolean careless;

  /** Whether HEAD is refused, as by a signature for GET. */
  volatile boolean headless;

  FileServer(byte[] content) throws IOException {
    this.content = content;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  /** The requests: method, path, range, If-Range and authorisation, with {@code -} for none. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + header(exchange, "Range")
            + " "
            + header(exchange, "If-Range")
            + " "
            + header(exchange, "Authorization"));
    String to = redirect;
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    if (status > 0 || (isHead && headless)) {
      exchange.sendResponseHeaders(status > 0 ? status : 403, -1);
    } else if (to != null && !exchange.getRequestURI().getPath().equals("/file")) {
      exchange.getResponseHeaders().add("Location", to);
      exchange.sendResponseHeaders(302, -1);
    } else {
      send(exchange, isHead);
    }
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "-" : value;
  }

  private void send(HttpExchange exchange, boolean isHead) throws IOException {
    byte[] all = content;
    String range = header(exchange, "Range");
    String condition = header(exchange, "If-Range");
    boolean isPart =
        range.startsWith("bytes=")
            && (careless || condition.equals("-") || condition.equals(version));
    int from = isPart ? Integer.parseInt(range.substring(6, range.indexOf('-'))) : 0;
    int to =
        isPart && !range.endsWith("-")
            ? Integer.parseInt(range.substring(range.indexOf('-') + 1)) + 1
            : all.length;
    exchange.getResponseHeaders().add("ETag", version);
    if (isPart) {
      exchange
          .getResponseHeaders()
          .add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + all.length);
    }
    if (isHead) {
      exchange.getResponseHeaders().add("Content-Length", String.valueOf(all.length));
      exchange.sendResponseHeaders(OK, -1);
      return;
    }
    exchange.sendResponseHeaders(isPart ? PARTIAL : OK, to - from);
    OutputStream out = exchange.getResponseBody();
    boolean isBroken = breaks.get() > 0;
    int end = isBroken ? Math.min(to, from + breakAfter) : to;
    out.write(Arrays.copyOfRange(all, from, end));
    out.flush();
    if (isBroken) {
      breaks.decrementAndGet();
      if (silent) {
        waitUntilClosed();
      }
      // The server closes the connection, because fewer bytes were written than announced.
    } else {
      out.close();
    }
  }

  private static void waitUntilClosed() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
