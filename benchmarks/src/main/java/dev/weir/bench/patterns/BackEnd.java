package dev.weir.bench.patterns;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.NodeInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;

/** The file server on the node outside the cluster, and its files. */
final class BackEnd implements AutoCloseable {
  private static final int PORT = 8000;
  private static final int PROBE_MEGABYTES = 16;
  private static final int HEAP_MEGABYTES = 64;
  private static final long START_MILLIS = 30_000;
  private static final long POLL_MILLIS = 50;
  private static final String PROBE = "probe";

  private final LocalCluster cluster;
  private final String address;
  private final Path files;
  private final Process server;

  private BackEnd(LocalCluster cluster, String address, Path files, Process server) {
    this.cluster = cluster;
    this.address = address;
    this.files = files;
    this.server = server;
  }

  /**
   * Starts it.
   *
   * @param cluster one with a node outside
   * @param files a directory for its files; made
   */
  static BackEnd start(LocalCluster cluster, Path files) throws IOException, InterruptedException {
    NodeInfo node =
        cluster.outside().orElseThrow(() -> new IOException("The cluster has no node outside"));
    Files.createDirectories(files);
    Process server =
        cluster
            .command(
                node.name(),
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + HEAP_MEGABYTES + "m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FileServer.class.getName(),
                    node.address(),
                    Integer.toString(PORT),
                    files.toAbsolutePath().toString()))
            .inheritIO()
            .start();
    BackEnd started = new BackEnd(cluster, node.address(), files, server);
    started.awaitAnswer();
    return started;
  }

  private void awaitAnswer() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (true) {
      try {
        new Socket(address, PORT).close();
        return;
      } catch (IOException e) {
        if (!server.isAlive() || System.nanoTime() > end) {
          close();
          throw new IOException("The file server on " + address + " does not answer", e);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  /** Where its files are, ending in a slash. */
  String url() {
    return "http://" + address + ":" + PORT + "/";
  }

  /** Makes a file that it has. */
  void provide(String name, long bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(files.resolve(name))) {
      Contents.write(name, bytes, out);
    }
  }

  /**
   * Checks a file that it was given.
   *
   * @throws IOException when it is not there, or is another
   */
  void require(String name, long bytes) throws IOException {
    Contents.requireWhole(name, bytes, Files.newInputStream(files.resolve(name)));
  }

  /** Removes all files. */
  void clear() throws IOException {
    FileUtils.cleanDirectory(files.toFile());
  }

  /** Fetches a file from a node and says how many bytes a second came. */
  double measureRate() throws IOException, InterruptedException {
    provide(PROBE, PROBE_MEGABYTES * 1_000_000L);
    Path speed = files.resolve("speed");
    Process curl =
        cluster
            .command(
                cluster.nodes().get(0).name(),
                List.of(
                    "curl",
                    "--silent",
                    "--show-error",
                    "--fail",
                    "-o",
                    "/dev/null",
                    "-w",
                    "%{speed_download}",
                    url() + PROBE))
            .redirectOutput(speed.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = curl.waitFor();
    if (code != 0) {
      throw new IOException("curl ended with " + code + "; is it installed?");
    }
    double rate = Double.parseDouble(Files.readString(speed).strip().replace(',', '.'));
    clear();
    return rate;
  }

  @Override
  public void close() {
    server.destroyForcibly();
  }
}
