package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.MessageCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Messages in the order in which they were sent.
 *
 * @param first number of the first message: how many were sent before it in the session
 */
record Batch(long first, List<Item> messages) {

  /** Bytes of a message's header. */
  static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

  /**
   * A message.
   *
   * @param ageMillis how long it has waited to be sent, in milliseconds
   * @param bytes encoded
   */
  record Item(long ageMillis, ByteString bytes) {

    /**
     * Decodes the message.
     *
     * @param wayMillis how long its transfer took, in milliseconds
     */
    Message message(long wayMillis) throws IOException {
      Message message = MessageCodec.decode(bytes.toByteArray());
      return message instanceof Message.Run run
          ? new Message.Run(run.order().late(ageMillis + wayMillis))
          : message;
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(first);
    out.writeInt(messages.size());
    for (Item message : messages) {
      out.writeLong(message.ageMillis());
      out.writeInt(message.bytes().size());
      message.bytes().writeTo(out);
    }
  }

  /**
   * Reads a batch.
   *
   * @param in a stream that is completely in memory, so a wrong length cannot allocate more
   */
  static Batch read(DataInputStream in) throws IOException {
    long first = in.readLong();
    List<Item> messages = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      long age = in.readLong();
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new IOException("A message claims " + length + " bytes of " + in.available());
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      messages.add(new Item(age, ByteString.copyFrom(bytes)));
    }
    return new Batch(first, messages);
  }

  /** Returns the messages that a peer has not received yet. */
  List<Item> after(long received) throws IOException {
    if (first > received) {
      throw new IOException("Messages " + received + " to " + (first - 1) + " are missing");
    }
    return messages.subList((int) Math.min(received - first, messages.size()), messages.size());
  }
}
