package dev.weir.it.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A server on this machine that takes connections as a NameNode does, and is none. */
final class NotANameNode implements AutoCloseable {

  /** What it does to its clients. */
  enum Manner {
    /** The connection stays open. */
    SAYS_NOTHING {
      @Override
      void serve(Socket client) {}
    },
    /** An answer that is none. */
    TALKS_NONSENSE {
      @Override
      void serve(Socket client) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\n\r\nnot what was asked".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    };

    abstract void serve(Socket client) throws IOException;
  }

  private static final int BACKLOG = 50;

  private final ServerSocket socket =
      new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  private final List<Socket> clients = Collections.synchronizedList(new ArrayList<>());
  private final Manner manner;

  NotANameNode(Manner manner) throws IOException {
    this.manner = manner;
    Thread acceptor = new Thread(this::accept, "not-a-namenode");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  String uri() {
    return "hdfs://127.0.0.1:" + socket.getLocalPort();
  }

  /** How many connections have come so far. */
  int clients() {
    return clients.size();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        clients.add(client);
        manner.serve(client);
      } catch (IOException e) {
        // A client is gone, or this is closed, which ends the loop.
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket client : List.copyOf(clients)) {
      client.close();
    }
  }
}
