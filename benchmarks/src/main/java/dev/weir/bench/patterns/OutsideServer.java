package dev.weir.bench.patterns;

import dev.weir.bench.series.WrongResultException;
import dev.weir.bench.shared.ServerProcess;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;

/** The file server on the node outside the cluster, and its files. */
final class OutsideServer implements AutoCloseable {
  private static final int PORT = 8000;

  /** The duration of a probe over a link, long enough that the burst at its start is negligible. */
  private static final double PROBE_SECONDS = 4;

  private static final int PROBES = 3;
  private static final long UNSHAPED_PROBE = 64_000_000;
  private static final int HEAP_MEGABYTES = 64;
  private static final String PROBE = "probe";

  private final LocalCluster cluster;
  private final String address;
  private final Path files;
  private final ServerProcess server;

  private OutsideServer(LocalCluster cluster, String address, Path files, ServerProcess server) {
    this.cluster = cluster;
    this.address = address;
    this.files = files;
    this.server = server;
  }

  /**
   * Starts the server.
   *
   * @param cluster a cluster with an outside node
   * @param files a directory for its files, created by this method
   */
  static OutsideServer start(LocalCluster cluster, Path files)
      throws IOException, InterruptedException {
    NodeInfo node =
        cluster.outside().orElseThrow(() -> new IOException("The cluster has no outside node"));
    Files.createDirectories(files);
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MEGABYTES + "m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            HttpFileServer.class.getName(),
            node.address(),
            Integer.toString(PORT),
            files.toAbsolutePath().toString());
    return new OutsideServer(
        cluster,
        node.address(),
        files,
        ServerProcess.start(cluster, node, command, PORT, files.resolveSibling("server.log")));
  }

  /** Returns the URL of its files, ending in a slash. */
  String url() {
    return "http://" + address + ":" + PORT + "/";
  }

  void provide(String name, long bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(files.resolve(name))) {
      FileContents.write(name, bytes, out);
    }
  }

  /**
   * Checks a file that was uploaded.
   *
   * @throws WrongResultException if its content is wrong
   * @throws IOException if it does not exist
   */
  void require(String name, long bytes) throws IOException {
    FileContents.requireWhole(name, bytes, Files.newInputStream(files.resolve(name)));
  }

  /** Removes all files. */
  void clear() throws IOException {
    FileUtils.cleanDirectory(files.toFile());
  }

  /**
   * Downloads a file from a node several times.
   *
   * @param nominal the nominal rate of a link in bytes per second; 0 for no limit
   * @return the highest rate in bytes per second, because start-up costs and other load on the
   *     machine only make a link look slower
   */
  double measureRate(double nominal) throws IOException, InterruptedException {
    provide(PROBE, nominal > 0 ? (long) (nominal * PROBE_SECONDS) : UNSHAPED_PROBE);
    double best = 0;
    for (int i = 0; i < PROBES; i++) {
      best = Math.max(best, probe());
    }
    clear();
    return best;
  }

  private double probe() throws IOException, InterruptedException {
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
      throw new IOException("curl ended with exit code " + code + "; is it installed?");
    }
    return Double.parseDouble(Files.readString(speed).strip().replace(',', '.'));
  }

  @Override
  public void close() {
    server.close();
  }
}
