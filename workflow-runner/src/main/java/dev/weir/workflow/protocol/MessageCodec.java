package dev.weir.workflow.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Encodes messages as UTF-8 JSON. A long message, such as the order of a task with a hundred
 * thousand files, is deflated. It then starts with a zero byte and the length of the JSON.
 * Thread-safe.
 */
public final class MessageCodec {

  /** The longest encoded message, in bytes. */
  public static final int MAX_BYTES = (4 << 20) - (64 << 10);

  /** The longest message before it is deflated, in bytes. */
  private static final int MAX_JSON_BYTES = 64 << 20;

  /** The longest message that is not deflated, in bytes. */
  private static final int MAX_PLAIN_BYTES = 1 << 20;

  private static final byte DEFLATED = 0;
  private static final int HEADER_BYTES = 1 + Integer.BYTES;
  private static final MessageJson JSON = new MessageJson();

  private MessageCodec() {}

  /** A message exceeds a limit. */
  public static final class TooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    TooLongException(int bytes, int limit) {
      super("A message of " + bytes + " bytes exceeds the limit of " + limit);
    }
  }

  /**
   * Encodes a message.
   *
   * @return at most {@link #MAX_BYTES}
   * @throws TooLongException when it is longer
   * @throws IOException when it cannot be written as JSON
   */
  public static byte[] encode(Message message) throws IOException {
    byte[] json = JSON.write(message);
    if (json.length <= MAX_PLAIN_BYTES) {
      return json;
    }
    if (json.length > MAX_JSON_BYTES) {
      throw new TooLongException(json.length, MAX_JSON_BYTES);
    }
    byte[] deflated = deflated(json);
    if (deflated.length > MAX_BYTES) {
      throw new TooLongException(deflated.length, MAX_BYTES);
    }
    return deflated;
  }

  private static byte[] deflated(byte[] json) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream header = new DataOutputStream(bytes);
    header.writeByte(DEFLATED);
    header.writeInt(json.length);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(json);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a message.
   *
   * @param bytes what {@link #encode} returned
   * @throws IOException when it is anything else
   */
  public static Message decode(byte[] bytes) throws IOException {
    return JSON.read(bytes.length > 0 && bytes[0] == DEFLATED ? inflated(bytes) : bytes);
  }

  private static byte[] inflated(byte[] bytes) throws IOException {
    try (DataInputStream in =
            new DataInputStream(new ByteArrayInputStream(bytes, 1, bytes.length));
        InflaterInputStream inflater = new InflaterInputStream(in)) {
      int length = bytes.length < HEADER_BYTES ? -1 : in.readInt();
      if (length < 0 || length > MAX_JSON_BYTES) {
        throw new IOException("A deflated message claims " + length + " bytes");
      }
      byte[] json = inflater.readNBytes(length);
      if (json.length < length) {
        throw new IOException("A deflated message ends early");
      }
      return json;
    }
  }
}
