package dev.weir.hints.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A hints service that gives prepared answers over HTTP on the loopback address. */
public final class FakeService implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, Queue<Reply>> replies = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /**
   * A received request.
   *
   * @param method its method
   * @param path its path, decoded
   * @param query its query, decoded
   * @param headers its headers, the first value of each, names in lower case
   * @param body its body
   * @param peer the client's address
   */
  public record Asked(
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      String body,
      InetSocketAddress peer) {}

  /** An answer. */
  record Reply(int status, Map<String, String> headers, String body, boolean hangs) {}

  /** A service that answers every call with 404. */
  public FakeService() {
    // Head and body of an answer are two packets, and the second would wait for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException("cannot listen on the loopback address", e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Returns the base URL. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /**
   * Prepares the answer of a call. Several answers are given one after another, and the last one
   * repeatedly.
   */
  public FakeService on(String method, String path, int status, String body, String... headers) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      map.put(headers[i], headers[i + 1]);
    }
    return add(method, path, new Reply(status, map, body, false));
  }

  /** Leaves a call without an answer until this service is closed. */
  public FakeService hangOn(String method, String path) {
    return add(method, path, new Reply(0, Map.of(), "", true));
  }

  private FakeService add(String method, String path, Reply reply) {
    replies.computeIfAbsent(method + " " + path, key -> new ConcurrentLinkedQueue<>()).add(reply);
    return this;
  }

  /** Returns the requests so far. */
  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** Returns the last request. */
  public Asked last() {
    return asked.get(asked.size() - 1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getPath();
    Map<String, String> headers = new LinkedHashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(lower(name), values.get(0)));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(new Asked(method, path, query(exchange), headers, body, exchange.getRemoteAddress()));
    Reply reply = next(method + " " + path);
    if (reply.hangs()) {
      await();
    }
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  /** Returns the next answer. The last one is repeated. */
  private Reply next(String call) {
    Queue<Reply> queue = replies.get(call);
    if (queue == null || queue.isEmpty()) {
      String problem =
          "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"nothing at"
              + " "
              + call
              + "\"}";
      return new Reply(404, Map.of("Content-Type", "application/problem+json"), problem, false);
    }
    Reply first = queue.peek();
    if (queue.size() > 1) {
      queue.poll();
    }
    return first;
  }

  private void await() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new LinkedHashMap<>();
    String raw = exchange.getRequestURI().getRawQuery();
    for (String part : raw == null ? new String[0] : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      query.put(decode(part.substring(0, equals)), decode(part.substring(equals + 1)));
    }
    return query;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String lower(String name) {
    return name.toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
