package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Handshake;
import dev.weir.workflow.protocol.Message;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes in the workers of the run. */
final class WorkerServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);
  private static final int HANDSHAKES = 4;
  private static final long ACCEPT_PAUSE_MILLIS = 200;

  private final ServerSocket socket;
  private final Handshake handshake;
  private final Guests guests;
  private final ThreadFactory threads = Daemons.named("worker-server");
  private final ExecutorService handshakes = Executors.newFixedThreadPool(HANDSHAKES, threads);
  private final Attendance present = new Attendance();

  /** Who hears of workers; called on threads of the connections. */
  interface Guests {

    /** A worker is there; comes before any message of its. */
    void joined(WorkerInfo worker, Connection connection);

    /** A worker said something. */
    void said(String worker, Message message);

    /** A worker is gone. */
    void left(String worker, String reason);
  }

  private final Function<String, String> rackOf;

  /**
   * A server on a free port of all addresses.
   *
   * @param rackOf the rack of a node, by host name
   */
  WorkerServer(Handshake handshake, Guests guests, Function<String, String> rackOf)
      throws IOException {
    this.socket = new ServerSocket(0);
    this.handshake = handshake;
    this.guests = guests;
    this.rackOf = rackOf;
  }

  int port() {
    return socket.getLocalPort();
  }

  void start() {
    threads.newThread(this::acceptLoop).start();
  }

  /** Which workers are connected. */
  Attendance present() {
    return present;
  }

  private void acceptLoop() {
    while (!socket.isClosed()) {
      try {
        Socket peer = socket.accept();
        handshakes.execute(() -> welcome(peer));
      } catch (RejectedExecutionException e) {
        LOG.debug("A connection came after the end", e);
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.warn("Cannot accept a connection; trying again", e);
          pause();
        }
      }
    }
  }

  /** Without it a process that has run out of file handles would spend itself on trying. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ACCEPT_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever a peer says, it costs no more than its connection. */
  private void welcome(Socket peer) {
    try {
      Handshake.Guest guest = handshake.accept(peer);
      if (!present.add(guest.id())) {
        throw new IOException("a worker " + guest.id() + " is connected already");
      }
      guests.joined(
          new WorkerInfo(guest.id(), guest.node(), rackOf.apply(guest.node())), guest.connection());
      guest.connection().start(listener(guest.id()));
    } catch (IOException | RuntimeException e) {
      LOG.warn("Did not let {} in: {}", peer.getRemoteSocketAddress(), e.toString());
      try {
        peer.close();
      } catch (IOException again) {
        LOG.debug("Cannot close a connection", again);
      }
    }
  }

  private Connection.Listener listener(String worker) {
    return new Connection.Listener() {
      @Override
      public void received(Message message) {
        guests.said(worker, message);
      }

      @Override
      public void ended(String reason) {
        present.remove(worker);
        guests.left(worker, reason);
      }
    };
  }

  @Override
  public void close() throws IOException {
    socket.close();
    handshakes.shutdownNow();
  }
}
