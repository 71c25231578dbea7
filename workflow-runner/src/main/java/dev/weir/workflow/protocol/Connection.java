package dev.weir.workflow.protocol;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kept connection between a worker and its ApplicationMaster, after the handshake. Messages to
 * send wait in a queue for a thread of their own, so {@link #send} never blocks; that thread says
 * {@link Message.Heartbeat} when there is nothing else to say, and a peer that says nothing for the
 * time of {@link Timing#silence} is taken for dead. A message that is too long fails the task that
 * it is about, as {@link Oversize} says, and not the connection.
 */
public final class Connection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final Socket socket;
  private final String peer;
  private final Timing timing;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final BlockingQueue<Message> outgoing = new LinkedBlockingQueue<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Held while somebody is told something. */
  private final Object telling = new Object();

  /**
   * How patient the two sides are.
   *
   * @param heartbeat longest pause between two messages of one's own
   * @param silence longest pause between two messages of the peer's
   */
  public record Timing(Duration heartbeat, Duration silence) {

    /** A cut link is found in 8 s. */
    public static final Timing DEFAULT = new Timing(Duration.ofSeconds(2), Duration.ofSeconds(8));
  }

  /** Who hears what a connection brings; called on the connection's threads, one at a time. */
  public interface Listener {

    /**
     * A message came; heartbeats are left out.
     *
     * @param message the message
     */
    void received(Message message);

    /**
     * The connection is over; said exactly once, and nothing after it.
     *
     * @param reason why, in one line
     */
    void ended(String reason);
  }

  Connection(Socket socket, String peer, Timing timing) throws IOException {
    this.socket = socket;
    this.peer = peer;
    this.timing = timing;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Math.toIntExact(timing.silence().toMillis()));
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /**
   * Where the peer is.
   *
   * @return its address, by which its host is reached whatever its name
   */
  public String peerAddress() {
    return socket.getInetAddress().getHostAddress();
  }

  /** Writes at once, on the caller's thread: for the handshake only. */
  void writeNow(Message message) throws IOException {
    Frames.write(out, message);
    out.flush();
  }

  /** Reads on the caller's thread: for the handshake only. */
  Message readNow() throws IOException {
    return Frames.read(in, Frames.MAX_HANDSHAKE_BYTES);
  }

  /**
   * Starts the two threads; both end with the connection.
   *
   * @param listener who hears the messages
   */
  public void start(Listener listener) {
    daemon("send-" + peer, () -> writeLoop(listener)).start();
    daemon("receive-" + peer, () -> readLoop(listener)).start();
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Puts a message in line. Never blocks; a message to a dead peer is dropped.
   *
   * @param message what to say
   */
  public void send(Message message) {
    if (!ended.get()) {
      outgoing.add(message);
    }
  }

  private void writeLoop(Listener listener) {
    try {
      while (!ended.get()) {
        Message next = outgoing.poll(timing.heartbeat().toMillis(), TimeUnit.MILLISECONDS);
        say(next == null ? new Message.Heartbeat() : next, listener);
        boolean last = next instanceof Message.Shutdown;
        if (last || outgoing.isEmpty()) {
          out.flush();
        }
        if (last) {
          socket.shutdownOutput();
          return;
        }
      }
    } catch (Frames.TooLongException e) {
      LOG.error(
          "The connection to {} ends, for it cannot be told something: {}", peer, e.getMessage());
      closeSocket();
    } catch (IOException e) {
      LOG.debug("Writing to {} failed", peer, e);
      closeSocket();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closeSocket();
    }
  }

  /** Says something, or in its place what can be said. */
  private void say(Message message, Listener listener) throws IOException {
    try {
      Frames.write(out, message);
    } catch (Frames.TooLongException e) {
      String why = String.valueOf(e.getMessage());
      Message shorter = Oversize.toPeer(message, why).orElse(null);
      Message answer = Oversize.fromPeer(message, why).orElse(null);
      if (shorter != null) {
        Frames.write(out, shorter);
      } else if (answer != null) {
        tell(listener, answer);
      } else {
        throw e;
      }
      LOG.error("{} is not told something, and its task fails: {}", peer, why);
    }
  }

  private void tell(Listener listener, Message message) {
    synchronized (telling) {
      if (!ended.get()) {
        listener.received(message);
      }
    }
  }

  private void readLoop(Listener listener) {
    String reason = "closed here";
    try {
      while (!ended.get()) {
        Message message = Frames.read(in, Frames.MAX_BYTES);
        if (!(message instanceof Message.Heartbeat)) {
          tell(listener, message);
        }
      }
    } catch (java.net.SocketTimeoutException e) {
      reason = "nothing heard for " + timing.silence().toMillis() + " ms";
    } catch (IOException e) {
      reason = e.getMessage() == null ? "connection closed by the peer" : e.getMessage();
    } finally {
      ended.set(true);
      closeSocket();
      synchronized (telling) {
        listener.ended(reason);
      }
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Closing the connection to {} failed", peer, e);
    }
  }

  /** Ends the connection; the reader thread tells the listener. Idempotent. */
  @Override
  public void close() {
    ended.set(true);
    closeSocket();
  }
}
