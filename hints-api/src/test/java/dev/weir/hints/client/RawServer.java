package dev.weir.hints.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that reads the head of a request, sends fixed bytes and closes the connection. */
public final class RawServer implements AutoCloseable {
  private final ServerSocket server;
  private final String response;
  private final boolean keepsConnectionOpen;
  private final Runnable first;
  private final AtomicInteger requests = new AtomicInteger();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  public RawServer(String response, boolean keepsConnectionOpen) throws IOException {
    this(response, keepsConnectionOpen, () -> {});
  }

  /** Creates a server that runs an action before each response. */
  public RawServer(String response, boolean keepsConnectionOpen, Runnable first)
      throws IOException {
    this.response = response;
    this.keepsConnectionOpen = keepsConnectionOpen;
    this.first = first;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  public int requests() {
    return requests.get();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        readHead(socket.getInputStream());
        requests.incrementAndGet();
        first.run();
        socket.getOutputStream().write(response.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        if (!keepsConnectionOpen) {
          socket.close();
        }
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
    }
  }

  private static void readHead(InputStream in) throws IOException {
    String head = "";
    while (!head.endsWith("\r\n\r\n")) {
      int read = in.read();
      if (read < 0) {
        throw new IOException("no request");
      }
      head += (char) read;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
