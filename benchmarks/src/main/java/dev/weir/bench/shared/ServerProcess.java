package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server's process on a node. */
public final class ServerProcess implements AutoCloseable {
  private static final long START_MILLIS = 30_000;
  private static final long POLL_MILLIS = 50;

  private final String address;
  private final int port;
  private final Path log;
  private final Process process;

  private ServerProcess(String address, int port, Path log, Process process) {
    this.address = address;
    this.port = port;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param node where it runs
   * @param port at which it listens on the address of the node
   */
  public static ServerProcess start(
      LocalCluster cluster, NodeInfo node, List<String> command, int port, Path log)
      throws IOException, InterruptedException {
    Process process =
        cluster
            .command(node.name(), command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    ServerProcess server = new ServerProcess(node.address(), port, log, process);
    server.awaitAnswer();
    return server;
  }

  private void awaitAnswer() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (true) {
      try {
        new Socket(address, port).close();
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > end) {
          close();
          throw new IOException(
              "The server on "
                  + address
                  + ":"
                  + port
                  + " does not answer: "
                  + Files.readString(log).strip(),
              e);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
