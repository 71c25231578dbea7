package dev.weir.workflow.gang;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Secret;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;

/**
 * A connection between two containers of a gang, each of which has proved that it knows the gang's
 * secret. It serves one request of the first container. Encrypted if the connections between the
 * session's node caches are.
 */
final class GangConnection implements Closeable {

  /** A request to make a directory, with files; it is deleted when the connection ends. */
  static final int DIRECTORY = 1;

  /** A request to run a command, whose output and exit code follow as frames. */
  static final int RUN = 2;

  /** Frames of a command: a part of its output, or its exit code. */
  static final int OUT = 1;

  static final int ERR = 2;
  static final int EXIT = 3;

  /** The maximum length of a part of a command's output. */
  static final int BUFFER_BYTES = 1 << 16;

  private static final int NONCE_BYTES = 32;
  private static final int HANDSHAKE_MILLIS = 20_000;

  /** The kernel's limit for an argument, such as a command, is lower. */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  private static final byte[] OF_FIRST = "first".getBytes(UTF_8);
  private static final byte[] OF_MEMBER = "member".getBytes(UTF_8);

  final DataInputStream in;
  final DataOutputStream out;

  /** Closed directly: the end of a TLS connection would wait for a thread that writes. */
  private final Socket socket;

  private GangConnection(Socket socket, Socket secured) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(secured.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(secured.getOutputStream()));
  }

  /**
   * Authenticates both ends. Closes the socket if the other one does not know the secret.
   *
   * @param first id of the first container
   * @param isFirst whether this end is the first container
   */
  static GangConnection open(Socket socket, CacheSecurity security, String first, boolean isFirst)
      throws IOException {
    boolean done = false;
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      GangConnection connection =
          new GangConnection(
              socket, isFirst ? security.accepted(socket) : security.connected(socket));
      connection.authenticate(security.secret().derive("gang " + first), isFirst);
      socket.setSoTimeout(0);
      socket.setKeepAlive(true);
      done = true;
      return connection;
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  private void authenticate(Secret secret, boolean isFirst) throws IOException {
    byte[] own = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(own);
    out.write(own);
    out.flush();
    byte[] other = in.readNBytes(NONCE_BYTES);
    out.write(secret.sign(isFirst ? OF_FIRST : OF_MEMBER, other));
    out.flush();
    byte[] signature = in.readNBytes(Secret.SIGNATURE_BYTES);
    if (!secret.verifies(signature, isFirst ? OF_MEMBER : OF_FIRST, own)) {
      throw new IOException("The other end does not know the secret of the gang");
    }
  }

  void writeText(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  String readText() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_TEXT_BYTES) {
      throw new IOException("A text has " + length + " bytes");
    }
    return new String(in.readNBytes(length), UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
