package dev.weir.workflow.protocol;

import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;

/**
 * How the two sides of a connection come to trust each other: each signs the other's nonce with the
 * run's secret. What follows is neither signed nor encrypted.
 */
public final class Handshake {

  private final Secret secret;
  private final SecureRandom random;
  private final Connection.Timing timing;

  /**
   * A handshake for the connections of one run.
   *
   * @param secret the run's secret
   * @param random source of nonces
   * @param timing how patient the connections are
   */
  public Handshake(Secret secret, SecureRandom random, Connection.Timing timing) {
    this.secret = secret;
    this.random = random;
    this.timing = timing;
  }

  /**
   * A worker that was let in.
   *
   * @param id the worker's id
   * @param node host name of its node
   * @param connection the connection, not yet started
   */
  public record Guest(String id, String node, Connection connection) {}

  /**
   * Lets a worker in. Blocks for at most the time of silence per message.
   *
   * @param socket a connection that came in
   * @return the worker
   * @throws IOException when the peer is not a worker of this run, or goes; the caller closes the
   *     socket
   */
  public Guest accept(Socket socket) throws IOException {
    Connection connection = new Connection(socket, String.valueOf(socket.getInetAddress()), timing);
    String nonce = Secret.nonce(random);
    connection.writeNow(new Message.Challenge(Message.VERSION, nonce));
    if (!(connection.readNow() instanceof Message.Hello hello)) {
      throw new IOException("The peer did not say hello");
    }
    if (hello.version() != Message.VERSION) {
      throw refuse(
          connection, "the worker speaks version " + hello.version() + ", not " + Message.VERSION);
    }
    if (!secret.verify(Secret.Side.WORKER, nonce, hello.proof())) {
      throw refuse(connection, "the worker does not know the secret of this run");
    }
    connection.writeNow(new Message.Welcome(secret.sign(Secret.Side.MASTER, hello.nonce())));
    return new Guest(hello.worker(), hello.node(), connection);
  }

  private static IOException refuse(Connection connection, String reason) throws IOException {
    connection.writeNow(new Message.Refused(reason));
    return new IOException("Refused a connection: " + reason);
  }

  /**
   * Asks to be let in.
   *
   * @param socket a connection to the ApplicationMaster
   * @param worker own id
   * @param node host name of the own node
   * @return the connection, not yet started
   * @throws IOException when the peer refuses, is not the ApplicationMaster of this run, or goes;
   *     the caller closes the socket
   */
  public Connection join(Socket socket, String worker, String node) throws IOException {
    Connection connection = new Connection(socket, "master", timing);
    if (!(connection.readNow() instanceof Message.Challenge challenge)) {
      throw new IOException("The peer is no ApplicationMaster of a workflow run");
    }
    String nonce = Secret.nonce(random);
    connection.writeNow(
        new Message.Hello(
            Message.VERSION,
            worker,
            node,
            nonce,
            secret.sign(Secret.Side.WORKER, challenge.nonce())));
    Message answer = connection.readNow();
    if (answer instanceof Message.Refused refused) {
      throw new IOException("The ApplicationMaster refuses this worker: " + refused.reason());
    }
    if (!(answer instanceof Message.Welcome welcome)
        || !secret.verify(Secret.Side.MASTER, nonce, welcome.proof())) {
      throw new IOException("The peer does not know the secret of this run");
    }
    return connection;
  }
}
