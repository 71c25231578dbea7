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
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * A content on its way from the cache of one worker to another: each side shows first that it knows
 * the session's secret; then come pieces, each with its CRC32C, and at last a mark that says that
 * they are all there is. Blocks as its streams do; not thread-safe.
 */
public final class CacheLink {

  /** The longest piece, in bytes. */
  public static final int MAX_PIECE = 1 << 20;

  private static final int NOTHING_YET = 0;
  private static final int END = -1;
  private static final int NONCE_BYTES = 32;

  /** Sides sign differently, so that no proof can be sent back as one's own. */
  private static final byte[] READER = {'r'};

  private static final byte[] HOLDER = {'h'};

  private final DataInputStream in;
  private final DataOutputStream out;

  /**
   * A link over a connection.
   *
   * @param in what comes; nobody else reads from it any more
   * @param out where to say something; nobody else writes to it any more
   */
  public CacheLink(InputStream in, OutputStream out) {
    // A piece is longer than the buffer, and so read past it.
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.out = new DataOutputStream(new BufferedOutputStream(out));
  }

  /**
   * What somebody asks for who knows the session's secret.
   *
   * @param content name of the content
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
   * The side of the one that is asked, until it knows for what. What follows is {@link #give}.
   *
   * @param secret the session's
   * @param random source of nonces
   * @return what is wanted
   * @throws IOException when the peer is not of this session
   */
  public Wanted accept(Secret secret, SecureRandom random) throws IOException {
    byte[] nonce = nonce(random);
    out.writeInt(Message.VERSION);
    out.write(nonce);
    out.flush();
    requireVersion();
    Wanted wanted = new Wanted(in.readUTF(), in.readLong());
    byte[] theirs = readBytes(NONCE_BYTES);
    requireProof(secret, READER, nonce, wanted);
    out.write(secret.sign(HOLDER, theirs, wanted.bytes()));
    out.flush();
    return wanted;
  }

  /**
   * The side of the one that asks, until the other has shown that it is of this session.
   *
   * @param secret the session's
   * @param random source of nonces
   * @param wanted what it asks for
   * @throws IOException when the peer is not of this session
   */
  public void ask(Secret secret, SecureRandom random, Wanted wanted) throws IOException {
    requireVersion();
    byte[] theirs = readBytes(NONCE_BYTES);
    byte[] nonce = nonce(random);
    out.writeInt(Message.VERSION);
    out.write(wanted.bytes());
    out.write(nonce);
    out.write(secret.sign(READER, theirs, wanted.bytes()));
    out.flush();
    requireProof(secret, HOLDER, nonce, wanted);
  }

  private static byte[] nonce(SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private void requireVersion() throws IOException {
    if (in.readInt() != Message.VERSION) {
      throw new IOException("The peer speaks something else");
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
   * Sends a piece, or says that there is none yet, so that the other knows that somebody is there.
   *
   * @param bytes the piece
   * @param length how long it is, at most {@link #MAX_PIECE}; 0 for none
   * @throws IOException when the other is gone
   */
  public void give(byte[] bytes, int length) throws IOException {
    out.writeInt(length);
    if (length != NOTHING_YET) {
      out.writeInt(sum(bytes, length));
      out.write(bytes, 0, length);
    }
    out.flush();
  }

  /**
   * Says that this was all.
   *
   * @throws IOException when the other is gone
   */
  public void end() throws IOException {
    out.writeInt(END);
    out.flush();
  }

  /**
   * Receives a piece; waits for it as long as the other says that it is there, but not for ever: it
   * may wait itself.
   *
   * @param buffer of {@link #MAX_PIECE} bytes
   * @param patience asked each time that the other says that it has nothing yet
   * @return how long it is; -1 after the last one
   * @throws SocketTimeoutException when there is no more patience
   * @throws IOException when the other is gone before that, or says nonsense
   */
  public int take(byte[] buffer, BooleanSupplier patience) throws IOException {
    int length = in.readInt();
    while (length == NOTHING_YET) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("told to stop while another node reads");
      }
      if (!patience.getAsBoolean()) {
        throw new SocketTimeoutException("The peer has had nothing to give for too long");
      }
      length = in.readInt();
    }
    if (length == END) {
      return END;
    }
    if (length < 0 || length > buffer.length) {
      throw new IOException("A piece of " + length + " bytes: the peer speaks something else");
    }
    int expected = in.readInt();
    if (in.readNBytes(buffer, 0, length) < length) {
      throw new EOFException("The connection ended within a piece");
    }
    if (sum(buffer, length) != expected) {
      throw new IOException("A piece was altered on its way");
    }
    return length;
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
