package dev.weir.service;

import dev.weir.hints.store.HintStore;
import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.ProxyUserFileSystems;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;

/** A server in this process over a store and the local file system, with a client. */
public final class TestServer implements AutoCloseable {
  private final HintsServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  /** Starts a server on a free port. */
  public TestServer(Backends backends, Map<String, String> settings) throws IOException {
    Configuration configuration = new Configuration(false);
    configuration.addResource("core-default.xml");
    configuration.set(ServiceSettings.HTTP_ADDRESS.key(), "127.0.0.1:0");
    configuration.set("weir.server.database.url", "jdbc:h2:mem:" + UUID.randomUUID());
    settings.forEach(configuration::set);
    server = new HintsServer(configuration, backends, null);
    server.start();
  }

  /** Starts a server over a store and the local file system. */
  public static TestServer over(HintStore store, Map<String, String> settings) throws IOException {
    return new TestServer(backends(store), settings);
  }

  /** Returns a store, the local file system and the machine's clock. */
  public static Backends backends(HintStore store) {
    return new Backends(
        configuration -> store,
        configuration ->
            new ProxyUserFileSystems(configuration, CallerSettings.from(configuration)),
        (configuration, name) -> new SingleInstance(),
        Clock.systemUTC());
  }

  /** Waits until the database of runs is open, which the server's start does not wait for. */
  public void awaitDatabase() {
    Awaitility.await()
        .until(() -> !send("GET", "/v1/status?user.name=any").body().contains("\"trouble\""));
  }

  /** Returns the server itself. */
  public HintsServer server() {
    return server;
  }

  /** Returns the address of a path and query. */
  public URI uri(String path) {
    return URI.create(server.uris().get(0) + path);
  }

  /** Sends a request without a body. */
  public HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).method(method, HttpRequest.BodyPublishers.noBody()));
  }

  /** Sends JSON. */
  public HttpResponse<String> sendJson(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)));
  }

  /** Sends a request. */
  public HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Starts to build a request. */
  public HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  @Override
  public void close() {
    server.close();
  }
}
