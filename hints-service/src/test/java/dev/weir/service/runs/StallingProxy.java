package dev.weir.service.runs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A proxy before a server. While it stalls, it forwards nothing but keeps and accepts connections,
 * like a machine that hangs.
 */
final class StallingProxy implements AutoCloseable {
  private static final int BUFFER = 8192;

  private final ServerSocket listening;
  private final int target;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Object monitor = new Object();
  private boolean stalled;
  private boolean closed;

  private StallingProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  /** Starts a proxy on a free port of this machine. */
  static StallingProxy before(int target) throws IOException {
    StallingProxy proxy =
        new StallingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    Future<?> unused = proxy.threads.submit(proxy::accept);
    return proxy;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Stops forwarding, or forwards all that has waited. */
  void stall(boolean now) {
    synchronized (monitor) {
      stalled = now;
      monitor.notifyAll();
    }
  }

  private Void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      Future<?> unusedThere = threads.submit(() -> copy(client, server));
      Future<?> unusedBack = threads.submit(() -> copy(server, client));
    }
  }

  private Void copy(Socket from, Socket to) throws IOException, InterruptedException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        synchronized (monitor) {
          while (stalled && !closed) {
            monitor.wait();
          }
        }
        out.write(buffer, 0, count);
        out.flush();
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
    listening.close();
    threads.shutdownNow();
  }
}
