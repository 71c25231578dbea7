package dev.weir.workflow.protocol;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * The transfer of a content from the cache of one worker to another. Each side first proves that it
 * knows the session's secret. Then pieces follow, each with its CRC-32C, and finally an end mark.
 * Further contents may follow on the same connection. Blocks like its streams. Not thread-safe.
 */
public final class CacheLink {

  /** The longest piece, in bytes. */
  public static final int MAX_PIECE = 1 << 20;

  private static final int HEARTBEAT = 0;
  private static final int END = -1;
  private static final int NONCE_BYTES = 32;

  /** The sides sign with different prefixes, so that a proof cannot be reflected. */
  private static final byte[] READER = {'r'};

  private static final byte[] HOLDER = {'h'};

  /** What the holder has sent to this connection, so that no request can be repeated on another. */
  private byte[] challenge = {};

  private final DataInputStream in;
  private final DataOutputStream out;

  /**
   * Creates a link over a connection.
   *
   * @param in input of the connection; no other code may read from it afterwards
   * @param out output of the connection; no other code may write to it afterwards
   */
  public CacheLink(InputStream in, OutputStream out) {
    // A piece is longer than the buffer, and so read past it.
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.out = new DataOutputStream(new BufferedOutputStream(out));
  }

  /**
   * A request for a content, by a peer that knows the session's secret.
   *
   * @param length in bytes
   */
  public record Wanted(String content, long length) {

    private byte[] bytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeUTF(content);
      out.writeLong(length);
      return bytes.toByteArray();
    }
  }

  /**
   * Accepts a request as the holder of contents. The holder then calls {@link #give}.
   *
   * @throws IOException if the peer does not belong to this session
   */
  public Wanted accept(Secret secret, SecureRandom random) throws IOException {
    challenge = nonce(random);
    out.writeInt(Message.VERSION);
    out.write(challenge);
    out.flush();
    requireVersion();
    Wanted wanted = new Wanted(in.readUTF(), in.readLong());
    byte[] peerNonce = readBytes(NONCE_BYTES);
    requireProof(secret, READER, challenge, wanted);
    out.write(secret.sign(HOLDER, peerNonce, wanted.bytes()));
    out.flush();
    return wanted;
  }

  /**
   * Accepts the next request on the connection, after the answer to the one before.
   *
   * @throws EOFException if there are no more
   * @throws IOException if it does not come from the peer
   */
  public Wanted acceptNext(Secret secret) throws IOException {
    Wanted wanted = new Wanted(in.readUTF(), in.readLong());
    requireProof(secret, READER, challenge, wanted);
    return wanted;
  }

  /**
   * Sends a request as the reader, and verifies the holder.
   *
   * @throws IOException if the peer does not belong to this session
   */
  public void ask(Secret secret, SecureRandom random, Wanted wanted) throws IOException {
    requireVersion();
    challenge = readBytes(NONCE_BYTES);
    byte[] nonce = nonce(random);
    out.writeInt(Message.VERSION);
    out.write(wanted.bytes());
    out.write(nonce);
    out.write(secret.sign(READER, challenge, wanted.bytes()));
    out.flush();
    requireProof(secret, HOLDER, nonce, wanted);
  }

  /** Sends further requests, which the holder answers in this order. */
  public void askNext(Secret secret, List<Wanted> wanted) throws IOException {
    for (Wanted next : wanted) {
      out.write(next.bytes());
      out.write(secret.sign(READER, challenge, next.bytes()));
    }
    out.flush();
  }

  private static byte[] nonce(SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private void requireVersion() throws IOException {
    if (in.readInt() != Message.VERSION) {
      throw new IOException("The peer speaks another protocol version");
    }
  }

  private void requireProof(Secret secret, byte[] side, byte[] nonce, Wanted wanted)
      throws IOException {
    byte[] proof = readBytes(Secret.SIGNATURE_BYTES);
    if (!secret.verifies(proof, side, nonce, wanted.bytes())) {
      throw new IOException("The peer does not know the secret of this session");
    }
  }

  private byte[] readBytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /**
   * Sends a piece, or a heartbeat if there is none yet.
   *
   * @param length its length, at most {@link #MAX_PIECE}; 0 for a heartbeat
   */
  public void give(byte[] bytes, int length) throws IOException {
    out.writeInt(length);
    if (length != HEARTBEAT) {
      out.writeInt(sum(bytes, length));
      out.write(bytes, 0, length);
    }
    out.flush();
  }

  /** Sends the end mark. */
  public void end() throws IOException {
    out.writeInt(END);
    out.flush();
  }

  /**
   * Receives a piece. The wait lasts as long as the peer sends heartbeats, but is bounded, because
   * the peer may itself wait for others.
   *
   * @param buffer buffer of {@link #MAX_PIECE} bytes
   * @param keepWaiting asked after each heartbeat whether to wait on
   * @return the length of the piece; -1 after the last one
   * @throws SocketTimeoutException if {@code keepWaiting} returns false
   * @throws IOException if the peer is gone or violates the protocol
   */
  public int take(byte[] buffer, BooleanSupplier keepWaiting) throws IOException {
    int length = in.readInt();
    while (length == HEARTBEAT) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while another node reads");
      }
      if (!keepWaiting.getAsBoolean()) {
        throw new SocketTimeoutException("The peer has sent no data for too long");
      }
      length = in.readInt();
    }
    if (length == END) {
      return END;
    }
    if (length < 0 || length > buffer.length) {
      throw new IOException("A piece of " + length + " bytes: the peer violates the protocol");
    }
    int expected = in.readInt();
    if (in.readNBytes(buffer, 0, length) < length) {
      throw new EOFException("The connection ended within a piece");
    }
    if (sum(buffer, length) != expected) {
      throw new IOException("The checksum of a piece does not match");
    }
    return length;
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
