package dev.weir.bench.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.jspecify.annotations.Nullable;

/**
 * The file system of a ResourceManager: a simulated one, or HDFS whose NameNode is a socket of this
 * process that sends no response or an invalid one.
 */
final class NameNodeStub implements AutoCloseable {
  private static final int BACKLOG = 50;

  private final Map<String, String> settings;
  private final @Nullable ServerSocket socket;
  private final List<Socket> clients = new ArrayList<>();

  private NameNodeStub(Map<String, String> settings, @Nullable ServerSocket socket) {
    this.settings = Map.copyOf(settings);
    this.socket = socket;
  }

  /** Returns the simulated file system, which answers at once or never. */
  static NameNodeStub simulated(boolean hangs) {
    return new NameNodeStub(
        Map.of(
            CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
            SimulatedFileSystem.SCHEME + ":///",
            SimulatedFileSystem.HANGS,
            String.valueOf(hangs)),
        null);
  }

  /**
   * Returns a server that sends the same bytes on every connection and keeps connections open.
   *
   * @param response empty to send none
   */
  static NameNodeStub sending(String response) throws IOException {
    ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    NameNodeStub server =
        new NameNodeStub(
            Map.of(
                CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
                "hdfs://127.0.0.1:" + socket.getLocalPort()),
            socket);
    Thread acceptor =
        new Thread(
            () -> server.accept(socket, response.getBytes(StandardCharsets.US_ASCII)),
            "namenode-stub");
    acceptor.setDaemon(true);
    acceptor.start();
    return server;
  }

  Map<String, String> settings() {
    return settings;
  }

  private void accept(ServerSocket from, byte[] response) {
    while (!from.isClosed()) {
      try {
        Socket client = from.accept();
        synchronized (clients) {
          clients.add(client);
        }
        OutputStream out = client.getOutputStream();
        out.write(response);
        out.flush();
      } catch (IOException e) {
        // The client has disconnected, or this server is closed, which ends the loop.
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
    }
    synchronized (clients) {
      for (Socket client : clients) {
        client.close();
      }
    }
  }
}
