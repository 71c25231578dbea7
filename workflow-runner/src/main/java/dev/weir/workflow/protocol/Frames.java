package dev.weir.workflow.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Messages as frames: four bytes of length, most significant first, then that much UTF-8 JSON. A
 * long message, such as the order of a task with a hundred thousand files whose names are much the
 * same, is deflated: then the length is negative, and four bytes with that of the JSON follow.
 */
final class Frames {

  /** The longest message that is read or written, in bytes: more means the peer is none of us. */
  static final int MAX_BYTES = 64 << 20;

  /** The longest message that goes over as it is, in bytes. */
  private static final int MAX_PLAIN_BYTES = 1 << 20;

  /** The longest frame of a peer that has not shown yet that it is one of us, in bytes. */
  static final int MAX_HANDSHAKE_BYTES = 16 << 10;

  private static final MessageJson JSON = new MessageJson();

  private Frames() {}

  /** A message that no peer would read; nothing of it was written. */
  static final class TooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    TooLongException(int bytes) {
      super("A message of " + bytes + " bytes is over the limit of " + MAX_BYTES);
    }
  }

  static void write(DataOutputStream out, Message message) throws IOException {
    byte[] body = JSON.write(message);
    if (body.length > MAX_BYTES) {
      throw new TooLongException(body.length);
    }
    if (body.length <= MAX_PLAIN_BYTES) {
      out.writeInt(body.length);
      out.write(body);
      return;
    }
    byte[] packed = packed(body);
    out.writeInt(-packed.length);
    out.writeInt(body.length);
    out.write(packed);
  }

  private static byte[] packed(byte[] body) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
      out.write(body);
    } finally {
      deflater.end();
    }
    return packed.toByteArray();
  }

  static Message read(DataInputStream in, int maxBytes) throws IOException {
    int length = in.readInt();
    boolean packed = length < 0 && maxBytes > MAX_PLAIN_BYTES;
    int bytes = packed ? in.readInt() : length;
    // What cannot be made smaller may become a little longer.
    if (bytes < 0 || bytes > maxBytes || -(long) length > 2L * bytes) {
      throw new IOException("A frame claims " + length + " bytes; the peer speaks something else");
    }
    byte[] body = readFully(in, Math.abs(length));
    if (packed) {
      try (InputStream plain = new InflaterInputStream(new ByteArrayInputStream(body))) {
        body = readFully(plain, bytes);
      }
    }
    return JSON.read(body);
  }

  private static byte[] readFully(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("The connection ended within a message");
    }
    return bytes;
  }
}
