package dev.weir.it.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** {@code s3a://} with S3Proxy as the server. */
@Tag("nightly")
class S3StoreIT extends ObjectStoreContract {

  private static final String KEY = "KEY7";
  private static final String SECRET = "SECRET7";
  private static final Path SERVER = JARS.resolve("s3proxy");

  S3StoreIT() {
    super("s3a", "s3a://lab", SERVER);
  }

  @Override
  List<String> server(String address, int port) throws Exception {
    Path bucket = Files.createDirectories(folder.resolve("objects/lab"));
    Path properties = folder.resolve("s3proxy.conf");
    Files.write(
        properties,
        List.of(
            "s3proxy.endpoint=http://0.0.0.0:" + port,
            "s3proxy.authorization=aws-v2-or-v4",
            "s3proxy.identity=" + KEY,
            "s3proxy.credential=" + SECRET,
            "jclouds.provider=filesystem",
            "jclouds.filesystem.basedir=" + bucket.getParent(),
            "jclouds.identity=any",
            "jclouds.credential=any"));
    return java(SERVER + "/*", "org.gaul.s3proxy.Main", "--properties", properties.toString());
  }

  @Override
  Map<String, String> settings(String address, int port) {
    return Map.of(
        "fs.s3a.endpoint", "http://" + address + ":" + port,
        "fs.s3a.endpoint.region", "us-east-1",
        "fs.s3a.path.style.access", "true");
  }

  @Override
  Map<String, String> keys() {
    return Map.of("fs.s3a.access.key", KEY, "fs.s3a.secret.key", SECRET);
  }
}
