package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.MessageCodec;
import dev.weir.workflow.protocol.OversizeMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that are sent until the peer has acknowledged them. Thread-safe. */
final class Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  /** A batch of this many bytes gets no further message. */
  private static final int BATCH_BYTES = 64 << 10;

  /**
   * The longest batch of several messages, in bytes. A request, with Hadoop's header, must not
   * exceed {@link WorkerRpcServer#MAX_REQUEST_BYTES}. The longest single message fits.
   */
  private static final int MAX_BATCH_BYTES = WorkerRpcServer.MAX_REQUEST_BYTES - (32 << 10);

  private final LongSupplier nanoTime;
  private final Consumer<Message> answers;
  private final LinkedBlockingQueue<Queued> queue = new LinkedBlockingQueue<>();

  /** Notified of each message that is queued. */
  private final Object added = new Object();

  /** Encoded messages, sent or not. */
  private final Deque<Encoded> unacknowledged = new ArrayDeque<>();

  private long first;
  private long bytes;

  private record Queued(Message message, long nanos) {}

  private record Encoded(ByteString bytes, long nanos) {}

  /**
   * Creates an empty outbox.
   *
   * @param answers receives the answer in place of the peer when a message is too long to be sent
   */
  Outbox(LongSupplier nanoTime, Consumer<Message> answers) {
    this.nanoTime = nanoTime;
    this.answers = answers;
  }

  /** Queues a message. Never blocks. */
  void add(Message message) {
    queue.add(new Queued(message, nanoTime.getAsLong()));
    synchronized (added) {
      added.notifyAll();
    }
  }

  /** Returns how many messages have not been encoded yet. */
  int queued() {
    return queue.size();
  }

  /**
   * Waits until there is a message to send, which stays queued: the waiting thread may belong to a
   * closed connection, beside that of the next one.
   */
  void awaitMessage() throws InterruptedException {
    synchronized (added) {
      while (isEmpty()) {
        added.wait();
      }
    }
  }

  /** Whether there is nothing to send. */
  synchronized boolean isEmpty() {
    return queue.isEmpty() && unacknowledged.isEmpty();
  }

  /**
   * Removes the messages that the peer has received.
   *
   * @param received how many messages the peer has received in all
   * @throws IOException when those are more than were sent
   */
  synchronized void acknowledge(long received) throws IOException {
    if (received > first + unacknowledged.size()) {
      throw new IOException(
          "The peer claims " + received + " received messages, more than were sent");
    }
    for (; first < received; first++) {
      bytes -= unacknowledged.remove().bytes().size();
    }
  }

  /** Returns the next batch: unacknowledged messages, up to the limit of one call. */
  synchronized Batch batch() {
    while (bytes < BATCH_BYTES) {
      Queued next = queue.peek();
      if (next == null) {
        break;
      }
      encode(next);
      // Removed only now: the encoding may have failed for lack of memory.
      queue.remove();
    }
    long now = nanoTime.getAsLong();
    List<Batch.Item> items = new ArrayList<>();
    long length = 0;
    for (Encoded message : unacknowledged) {
      length += Batch.HEADER_BYTES + message.bytes().size();
      if (length > MAX_BATCH_BYTES && !items.isEmpty()) {
        break;
      }
      long age = TimeUnit.NANOSECONDS.toMillis(now - message.nanos());
      items.add(new Batch.Item(age, message.bytes()));
    }
    return new Batch(first, items);
  }

  private synchronized void encode(Queued next) {
    byte[] encoded = encoded(next.message());
    if (encoded != null) {
      unacknowledged.add(new Encoded(ByteString.copyFrom(encoded), next.nanos()));
      bytes += encoded.length;
    }
  }

  /** Encodes a message, or its replacement; null when nothing is sent. */
  private byte @Nullable [] encoded(Message message) {
    try {
      return MessageCodec.encode(message);
    } catch (IOException | RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      LOG.error("A {} is not sent: {}", message.getClass().getSimpleName(), why);
      OversizeMessage.fromPeer(message, why).ifPresent(answers);
      Message shorter = OversizeMessage.toPeer(message, why).orElse(null);
      return shorter == null ? null : encoded(shorter);
    }
  }
}
