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

/** A local server that accepts connections instead of a NameNode. */
final class FakeNameNode implements AutoCloseable {

  /** How the server treats its clients. */
  enum Behaviour {
    /** Keeps the connection open without an answer. */
    SENDS_NOTHING {
      @Override
      void serve(Socket client) {}
    },
    /** Sends an invalid answer. */
    SENDS_INVALID_DATA {
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
  private final Behaviour behaviour;

  FakeNameNode(Behaviour behaviour) throws IOException {
    this.behaviour = behaviour;
    Thread acceptor = new Thread(this::accept, "fake-namenode");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  String uri() {
    return "hdfs://127.0.0.1:" + socket.getLocalPort();
  }

  /** The number of accepted connections. */
  int clients() {
    return clients.size();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        clients.add(client);
        behaviour.serve(client);
      } catch (IOException e) {
        // A client has closed its connection, or the server socket is closed, which ends the loop.
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
