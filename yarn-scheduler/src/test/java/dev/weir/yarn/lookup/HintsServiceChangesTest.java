package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.hints.client.http.ClientSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses a server with configured answers. */
@Timeout(60)
class HintsServiceChangesTest {

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private HintsServiceChanges changes;
  private volatile int status = 200;
  private volatile boolean followed = true;

  @BeforeEach
  void start() throws IOException {
    // Without TCP_NODELAY, the second packet of an answer would wait for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().toString());
          String json =
              "{\"followed\":%s,\"mark\":\"t:%d\",\"missed\":false,\"paths\":[\"/p%d\"]}"
                  .formatted(followed, requests.size(), requests.size());
          byte[] answer = json.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(status, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    server.start();
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    changes = new HintsServiceChanges(new Configuration(false), ClientSettings.of(List.of(uri)));
  }

  @AfterEach
  void stop() {
    changes.close();
    server.stop(0);
  }

  @Test
  void requestsChangesAfterTheLastMark() throws Exception {
    assertThat(changes.next()).containsExactly("/p1");
    assertThat(changes.next()).containsExactly("/p2");
    assertThat(requests.get(0)).contains("/v1/changes").doesNotContain("after");
    assertThat(requests.get(1)).contains("after=t%3A1");
  }

  @Test
  void detectsAServiceWithoutChanges() throws Exception {
    status = 403;
    assertThatThrownBy(() -> changes.next()).isInstanceOf(ChangeSource.NotFollowedException.class);
    // An expired ticket, an older service and a failing server may recover.
    for (int later : new int[] {401, 404, 500}) {
      status = later;
      assertThatThrownBy(() -> changes.next())
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ChangeSource.NotFollowedException.class);
    }
    status = 200;
    followed = false;
    assertThatThrownBy(() -> changes.next()).isInstanceOf(ChangeSource.NotFollowedException.class);
  }

  @Test
  void sendsNoRequestAfterClose() {
    changes.close();
    assertThatThrownBy(() -> changes.next()).isInstanceOf(IOException.class);
    assertThat(requests).isEmpty();
  }
}
