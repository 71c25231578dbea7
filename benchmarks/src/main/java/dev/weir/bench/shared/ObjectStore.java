package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An S3 server on the master's node: S3Proxy, which keeps objects as files. */
final class ObjectStore implements StagingServer {
  private static final int PORT = 2280;
  private static final String BUCKET = "workflow";

  private final Path directory;
  private final String endpoint;
  private final ServerProcess server;

  private ObjectStore(Path directory, String endpoint, ServerProcess server) {
    this.directory = directory;
    this.endpoint = endpoint;
    this.server = server;
  }

  /**
   * Starts the server and waits until it answers. It logs nothing; by default it logs each request
   * at length, and takes twice as long. It checks no signatures, because it refuses correct ones of
   * texts.
   *
   * @param directory receives its log and the objects
   * @param jars directory with S3Proxy and what it needs
   */
  static ObjectStore start(LocalCluster cluster, Path directory, Path jars)
      throws IOException, InterruptedException {
    Files.createDirectories(directory.resolve("objects").resolve(BUCKET));
    String endpoint = "http://" + cluster.master().address() + ":" + PORT;
    Path properties =
        Files.write(
            directory.resolve("s3proxy.conf"),
            List.of(
                "s3proxy.endpoint=" + endpoint,
                "s3proxy.authorization=none",
                "jclouds.provider=filesystem",
                "jclouds.filesystem.basedir=" + directory.resolve("objects"),
                "jclouds.identity=any",
                "jclouds.credential=any"));
    Path silence =
        Files.writeString(
            directory.resolve("logback.xml"), "<configuration><root level='OFF'/></configuration>");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Dlogback.configurationFile=" + silence,
            "-cp",
            jars + "/*",
            "org.gaul.s3proxy.Main",
            "--properties",
            properties.toString());
    Path log = directory.resolve("s3proxy.log");
    return new ObjectStore(
        directory, endpoint, ServerProcess.start(cluster, cluster.master(), command, PORT, log));
  }

  @Override
  public Path files() {
    return directory.resolve("objects").resolve(BUCKET);
  }

  /** Each HEAD request that can be spared is. */
  @Override
  public List<String> rcloneOptions() {
    return List.of(
        "--s3-provider=Other",
        "--s3-endpoint=" + endpoint,
        "--s3-no-check-bucket",
        "--s3-no-head",
        "--s3-no-head-object",
        "--s3-disable-checksum");
  }

  @Override
  public String rcloneRemote() {
    return ":s3:" + BUCKET;
  }

  @Override
  public void close() {
    server.close();
  }
}
