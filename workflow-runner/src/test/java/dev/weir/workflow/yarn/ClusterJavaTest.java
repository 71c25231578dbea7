package dev.weir.workflow.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterJavaTest {
  private static final String BEAN =
      """
      {"beans": [{"name": "java.lang:type=Runtime", "SpecVersion": "%s", "VmName": "OpenJDK"}]}
      """;

  @ParameterizedTest
  @CsvSource({"1.8,8", "11,11", "17,17", "25,25", "unheard-of,0"})
  void theVersionIsThatOfTheRunningDaemon(String specification, int version) throws Exception {
    assertThat(versionSaidBy(200, BEAN.formatted(specification))).isEqualTo(version);
  }

  @Test
  void aPageThatIsRefusedOrNotJsonTellsNothing() throws Exception {
    assertThat(versionSaidBy(401, BEAN.formatted("11"))).isZero();
    assertThat(versionSaidBy(200, "<html>")).isZero();
    assertThat(versionSaidBy(200, "{}")).isZero();
  }

  @Test
  void aDaemonThatCannotBeReachedTellsNothing() throws Exception {
    HttpServer server = server();
    // Before its start it would keep its port open.
    server.start();
    server.stop(0);
    assertThat(ClusterJava.version(address(server))).isZero();
  }

  private static int versionSaidBy(int status, String body) throws Exception {
    HttpServer server = server();
    server.createContext(
        "/jmx",
        exchange -> {
          byte[] bytes = body.getBytes(UTF_8);
          boolean isAsked =
              "qry=java.lang:type=Runtime".equals(exchange.getRequestURI().getQuery());
          exchange.sendResponseHeaders(isAsked ? status : 404, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      return ClusterJava.version(address(server));
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer server() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  private static URI address(HttpServer server) {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://" + address.getHostString() + ":" + address.getPort());
  }
}
