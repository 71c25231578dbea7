package dev.weir.hints.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.weir.hints.client.HintsClient;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsClientConfigTest {
  private static final String PASSWORD = "changeit";
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private HttpsServer server;

  @BeforeEach
  void serve() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore("server"))) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    byte[] answer = "{\"state\":\"running\"}".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void acceptsTrustedServer() throws Exception {
    try (HintsClient client = client(directory.resolve("server.p12"))) {
      assertThat(client.status().state()).isEqualTo("running");
    }
  }

  @Test
  void rejectsUntrustedServer() throws Exception {
    try (HintsClient client = client(keyStore("other"))) {
      assertThatThrownBy(client::status)
          .isInstanceOfSatisfying(
              HintsServiceException.class, failure -> assertThat(failure.isAway()).isTrue())
          .hasMessageContaining("unable to find valid certification path");
    }
  }

  /** To set TLS up costs a twentieth of the start of an ApplicationMaster. */
  @Test
  void isNotSetUpForPlainUrls() throws Exception {
    ClientSettings settings = ClientSettings.of(List.of(URI.create("http://127.0.0.1:9880")));
    try (TlsClientConfig tls = TlsClientConfig.forUrls(settings.urls(), new Configuration(false));
        HttpExchange exchange =
            new HttpExchange(
                settings,
                new CallerIdentity(UserGroupInformation.createRemoteUser("ann"), tls),
                tls)) {
      assertThatThrownBy(
              () -> exchange.send(url(), ServiceCall.of("GET", "/v1/status"), LONG, null))
          .hasStackTraceContaining("https protocol is not supported");
    }
  }

  private URI url() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  private HintsClient client(Path trusted) throws Exception {
    Configuration configuration = new Configuration(false);
    configuration.set("hadoop.ssl.client.conf", "no-such-file.xml");
    configuration.set("ssl.client.truststore.location", trusted.toString());
    configuration.set("ssl.client.truststore.password", PASSWORD);
    configuration.set("ssl.client.truststore.type", "PKCS12");
    return HintsClient.open(
        configuration,
        new ClientSettings(List.of(url()), LONG, LONG, LONG, 1),
        UserGroupInformation.createRemoteUser("ann"));
  }

  /** A store with a certificate that signs itself, for the loopback address. */
  private Path keyStore(String name) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }
}
