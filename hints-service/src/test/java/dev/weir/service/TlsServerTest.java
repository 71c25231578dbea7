package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.store.InMemoryHintStore;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS as {@code ssl-server.xml} configures it, with a certificate of the test's own authority. */
class TlsServerTest {
  private static final String PASSWORD = "changeit";

  @TempDir private static Path directory;
  private static Path keys = Path.of("");

  @BeforeAll
  static void makeKeys() throws Exception {
    keys = signedByAuthority();
  }

  @Test
  void servesHttpsToClientsThatTrustAuthority() throws Exception {
    try (TestServer server = server("HTTPS_ONLY")) {
      List<URI> uris = server.server().uris();
      assertThat(uris).singleElement().hasToString("https://127.0.0.1:" + uris.get(0).getPort());
      URI status = uris.get(0).resolve("/v1/status");
      assertThat(get(trusting(directory.resolve("ca.p12")), status).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> get(HttpClient.newHttpClient(), status))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void servesHttpAndHttps() throws Exception {
    try (TestServer server = server("HTTP_AND_HTTPS")) {
      assertThat(server.send("GET", "/v1/status").statusCode()).isEqualTo(200);
      URI https = server.server().uris().get(1);
      assertThat(https.getScheme()).isEqualTo("https");
      HttpClient client = trusting(directory.resolve("ca.p12"));
      assertThat(get(client, https.resolve("/v1/status")).body()).contains("running");
    }
  }

  private static TestServer server(String policy) throws Exception {
    return TestServer.over(
        new InMemoryHintStore(Clock.systemUTC()),
        Map.of(
            "weir.server.http.policy",
            policy,
            "weir.server.https-address",
            "127.0.0.1:0",
            "hadoop.ssl.server.conf",
            "no-such-file.xml",
            "ssl.server.keystore.location",
            keys.toString(),
            "ssl.server.keystore.type",
            "PKCS12",
            "ssl.server.keystore.password",
            PASSWORD,
            "ssl.server.keystore.keypassword",
            PASSWORD));
  }

  private static HttpResponse<String> get(HttpClient client, URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpClient trusting(Path authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(authority)) {
      trusted.load(in, PASSWORD.toCharArray());
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static Path signedByAuthority() throws Exception {
    String ca = directory.resolve("ca-keys.p12").toString();
    String server = directory.resolve("server.p12").toString();
    String request = directory.resolve("server.csr").toString();
    String signed = directory.resolve("server.crt").toString();
    String root = directory.resolve("ca.crt").toString();
    String trusted = directory.resolve("ca.p12").toString();
    keytool(ca, "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca", "-ext", "bc:c");
    keytool(ca, "-exportcert", "-alias", "ca", "-file", root);
    keytool(server, "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=server");
    keytool(server, "-certreq", "-alias", "server", "-file", request);
    keytool(
        ca,
        "-gencert",
        "-alias",
        "ca",
        "-infile",
        request,
        "-outfile",
        signed,
        "-ext",
        "SAN=IP:127.0.0.1");
    keytool(server, "-importcert", "-noprompt", "-alias", "ca", "-file", root);
    keytool(server, "-importcert", "-noprompt", "-alias", "server", "-file", signed);
    keytool(trusted, "-importcert", "-noprompt", "-alias", "ca", "-file", root);
    return Path.of(server);
  }

  private static void keytool(String store, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store));
    Process keytool = new ProcessBuilder(command).inheritIO().start();
    assertThat(keytool.waitFor()).as(command.toString()).isZero();
  }
}
