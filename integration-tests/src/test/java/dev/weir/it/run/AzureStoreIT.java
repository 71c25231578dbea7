package dev.weir.it.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** {@code abfs://} with Azurite, which has the Blob endpoint of an account. Without TLS. */
@Tag("nightly")
class AzureStoreIT extends ObjectStoreContract {

  private static final Path SERVER = PROGRAMS.resolve("azurite/node_modules/.bin/azurite-blob");
  private static final String KEY =
      Base64.getEncoder().encodeToString("SECRET7SECRET7SECRET7".getBytes(UTF_8));
  private static final String HOST = "account7.dfs.core.windows.net";

  AzureStoreIT() {
    super("abfs", "abfs://lab@" + HOST, SERVER);
  }

  @Override
  List<String> server(String address, int port) {
    return List.of(
        "env",
        "AZURITE_ACCOUNTS=account7:" + KEY,
        SERVER.toString(),
        "--location",
        folder.resolve("objects").toString(),
        "--blobHost",
        "0.0.0.0",
        "--blobPort",
        Integer.toString(port),
        "--skipApiVersionCheck",
        "--disableTelemetry");
  }

  @Override
  Map<String, String> settings(String address, int port) {
    return Map.of(
        // In place of the host in the URL; the account is then the first part of the path.
        "fs.azure.abfs.endpoint", address + ":" + port,
        "fs.azure.always.use.https", "false",
        // The connector's other HTTP client needs TLS: "SSL socket factory may not be null".
        "fs.azure.networking.library", "JDK_HTTP_URL_CONNECTION",
        "fs.azure.account.hns.enabled", "false",
        "fs.azure.fns.account.service.type", "BLOB",
        "fs.azure.createRemoteFileSystemDuringInitialization", "true");
  }

  @Override
  Map<String, String> keys() {
    return Map.of("fs.azure.account.key." + HOST, KEY);
  }
}
