package dev.weir.workflow.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Forwards connections to a local port until the test cuts them. */
final class CuttableProxy implements Closeable {

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  CuttableProxy(int target) throws IOException {
    this.target = target;
    daemon(this::acceptAll);
  }

  int port() {
    return server.getLocalPort();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(near);
        sockets.add(far);
        daemon(() -> copy(near, far));
        daemon(() -> copy(far, near));
      }
    } catch (IOException e) {
      cut();
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The connection was cut.
    }
  }

  /** Cuts all open connections. */
  void cut() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // The socket is already closed.
      }
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
