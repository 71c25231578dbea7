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

/** With a service that answers what it is told to. */
@Timeout(60)
class HintsServiceChangesTest {

  private final List<String> questions = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private HintsServiceChanges changes;
  private volatile int status = 200;
  private volatile boolean followed = true;

  @BeforeEach
  void start() throws IOException {
    // Head and body of an answer are two packets, and the second would wait for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          questions.add(exchange.getRequestURI().toString());
          String json =
              "{\"followed\":%s,\"mark\":\"t:%d\",\"missed\":false,\"paths\":[\"/p%d\"]}"
                  .formatted(followed, questions.size(), questions.size());
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
  void asksForWhatCameAfterTheAnswerBefore() throws Exception {
    assertThat(changes.next()).containsExactly("/p1");
    assertThat(changes.next()).containsExactly("/p2");
    assertThat(questions.get(0)).contains("/v1/changes").doesNotContain("after");
    assertThat(questions.get(1)).contains("after=t%3A1");
  }

  @Test
  void knowsWhenTheServiceCannotBeFollowed() throws Exception {
    status = 403;
    assertThatThrownBy(() -> changes.next()).isInstanceOf(ChangeSource.NotFollowedException.class);
    // A ticket is renewed, a service made newer, and a server started again.
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
  void asksNoServiceAfterItWasClosed() {
    changes.close();
    assertThatThrownBy(() -> changes.next()).isInstanceOf(IOException.class);
    assertThat(questions).isEmpty();
  }
}
