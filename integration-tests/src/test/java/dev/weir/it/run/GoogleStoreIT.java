package dev.weir.it.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * {@code gs://} with Google's connector and fake-gcs-server, which accepts any token. The test
 * itself gives the connector one for the key of a service account.
 */
@Tag("nightly")
class GoogleStoreIT extends ObjectStoreContract {

  private static final Path SERVER = PROGRAMS.resolve("gcs/bin/fake-gcs-server");
  private static final byte[] TOKEN =
      "{\"access_token\": \"TOKEN7\", \"token_type\": \"Bearer\", \"expires_in\": 3600}"
          .getBytes(UTF_8);

  private final HttpServer tokens;
  private final String privateKey;

  GoogleStoreIT() throws Exception {
    super("gs", "gs://lab", SERVER);
    byte[] key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    privateKey =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key)
            + "\n-----END PRIVATE KEY-----\n";
    tokens = HttpServer.create(new InetSocketAddress(0), 0);
  }

  @BeforeEach
  void giveTokens() {
    tokens.createContext(
        "/token",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, TOKEN.length);
          exchange.getResponseBody().write(TOKEN);
          exchange.close();
        });
    tokens.start();
  }

  @AfterEach
  void endTokens() {
    tokens.stop(0);
  }

  @Override
  List<String> server(String address, int port) throws Exception {
    Path bucket = Files.createDirectories(folder.resolve("objects/lab"));
    return List.of(
        SERVER.toString(),
        "-scheme",
        "http",
        "-port",
        Integer.toString(port),
        "-external-url",
        "http://" + address + ":" + port,
        "-filesystem-root",
        bucket.getParent().toString());
  }

  @Override
  Map<String, String> settings(String address, int port) {
    return Map.of(
        "fs.gs.storage.root.url",
        "http://" + address + ":" + port + "/",
        "fs.gs.token.server.url",
        "http://" + address + ":" + tokens.getAddress().getPort() + "/token",
        "fs.gs.impl",
        "com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem",
        // Hadoop 3.5.0 has defaults such as 64m for its own connector, which Google's cannot parse.
        "fs.gs.block.size",
        "67108864",
        "fs.gs.rewrite.max.chunk.size",
        "536870912",
        "fs.gs.outputstream.buffer.size",
        "8388608",
        "fs.gs.inputstream.inplace.seek.limit",
        "8388608",
        "fs.gs.inputstream.min.range.request.size",
        "2097152");
  }

  @Override
  Map<String, String> keys() {
    return Map.of(
        "fs.gs.auth.service.account.email", "runs@lab.example.org",
        "fs.gs.auth.service.account.private.key.id", "KEY7",
        "fs.gs.auth.service.account.private.key", privateKey);
  }
}
