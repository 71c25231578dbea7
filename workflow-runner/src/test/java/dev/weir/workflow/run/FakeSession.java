package dev.weir.workflow.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.RunStatus;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.jobs.StatusCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.text.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A session without workers that accepts runs, which end on request of the test. Thread-safe. */
public final class FakeSession implements AutoCloseable {

  static final String KEY = "ab".repeat(32);

  private static final Pattern SIGNED =
      Pattern.compile("Weir time=(\\d+),nonce=(\\w+),body=(\\w+),signature=(\\w+)");
  private static final int MAX_WAITS = 60;
  private static final long WAIT_MILLIS = 1_000;

  /** The requests, such as {@code POST /v1/runs {"id":"a"}}. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** The accepted runs and their states. */
  public final Map<String, RunState> runs = new ConcurrentHashMap<>();

  /**
   * HTTP statuses of the next answers to submissions. With 0 the run is accepted and the connection
   * is cut.
   */
  public final Queue<Integer> statuses = new ArrayDeque<>();

  private final HmacSigner signer = new HmacSigner(KEY);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final SessionStatus status;

  public FakeSession(SessionStatus status) throws IOException {
    this.status = status;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public SessionEndpoint endpoint() {
    return new SessionEndpoint("http://127.0.0.1:" + server.getAddress().getPort(), KEY);
  }

  /** Ends a run and answers requests that wait for its end. */
  public synchronized void end(String run, RunState state) {
    runs.put(run, state);
    notifyAll();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String method = exchange.getRequestMethod();
      String target = exchange.getRequestURI().toString();
      requests.add((method + " " + target + " " + new String(body, UTF_8)).strip());
      Matcher signed =
          SIGNED.matcher(exchange.getRequestHeaders().getFirst(HmacSigner.REQUEST_HEADER));
      if (!signed.matches()
          || !signer
              .signature(
                  new HmacSigner.Request(
                      method,
                      target,
                      Long.parseLong(signed.group(1)),
                      signed.group(2),
                      signed.group(3)))
              .equals(signed.group(4))
          || !Sha256.hex(body).equals(signed.group(3))) {
        throw new IOException("The request is not signed");
      }
      Answer answer = answer(method, target, new String(body, UTF_8));
      if (answer.status() == 0) {
        return;
      }
      byte[] json = answer.json().getBytes(UTF_8);
      exchange
          .getResponseHeaders()
          .set(
              HmacSigner.ANSWER_HEADER,
              signer.answer(signed.group(2), answer.status(), Sha256.hex(json)));
      exchange.sendResponseHeaders(answer.status(), json.length);
      exchange.getResponseBody().write(json);
    } catch (InvalidJobException e) {
      throw new IOException(e);
    }
  }

  private record Answer(int status, String json) {}

  private synchronized Answer answer(String method, String target, String body)
      throws InvalidJobException {
    if (target.equals("/v1/session")) {
      return new Answer(200, StatusCodec.write(status));
    }
    if (method.equals("POST")) {
      String id = StatusCodec.readSubmission(body);
      Integer refusal = statuses.poll();
      if (refusal != null && refusal != 0) {
        return new Answer(refusal, StatusCodec.error("refused on purpose"));
      }
      boolean known = runs.putIfAbsent(id, RunState.RUNNING) != null;
      String state = StatusCodec.writeState(new RunStatus(id, RunState.RUNNING));
      return new Answer(refusal != null ? 0 : known ? 200 : 201, state);
    }
    String id = target.replaceAll("/v1/runs/|\\?.*", "");
    if (!runs.containsKey(id)) {
      return new Answer(404, StatusCodec.error("There is no run " + id));
    }
    if (method.equals("DELETE")) {
      end(id, RunState.CANCELLED);
    }
    return new Answer(200, StatusCodec.writeState(new RunStatus(id, awaitEnd(id))));
  }

  private synchronized RunState awaitEnd(String id) {
    RunState state = RunState.RUNNING;
    try {
      for (long left = MAX_WAITS; state == RunState.RUNNING && left > 0; left--) {
        state = runs.getOrDefault(id, RunState.CANCELLED);
        if (state == RunState.RUNNING) {
          wait(WAIT_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return state;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
