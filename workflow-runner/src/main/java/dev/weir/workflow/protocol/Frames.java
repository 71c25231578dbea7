package dev.weir.workflow.protocol;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Messages as frames: four bytes of length, most significant first, then that much UTF-8 JSON. */
final class Frames {

  /** The longest frame that is read or written, in bytes: more means the peer is not one of us. */
  static final int MAX_BYTES = 16 << 20;

  /** The longest frame of a peer that has not shown yet that it is one of us, in bytes. */
  static final int MAX_HANDSHAKE_BYTES = 16 << 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  private Frames() {}

  static void write(DataOutputStream out, Message message) throws IOException {
    byte[] body = JSON.writerFor(Message.class).writeValueAsBytes(message);
    if (body.length > MAX_BYTES) {
      throw new IOException(
          "A message of " + body.length + " bytes is over the limit of " + MAX_BYTES);
    }
    out.writeInt(body.length);
    out.write(body);
  }

  static Message read(DataInputStream in, int maxBytes) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > maxBytes) {
      throw new IOException("A frame claims " + length + " bytes; the peer speaks something else");
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new IOException("The connection ended within a message");
    }
    return JSON.readValue(body, Message.class);
  }
}
