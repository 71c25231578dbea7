package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ApplicationMaster's end of the channel to one worker process. Thread-safe. */
final class WorkerChannel implements Connection {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerChannel.class);

  /** A worker with more queued messages is disconnected. */
  static final int MAX_QUEUED = 100_000;

  private final String worker;
  private final long process;
  private final long epoch;
  private final WorkerRpcServer.Listener listener;
  private final Executor answers;
  private final Consumer<WorkerChannel> onEnd;
  private final Outbox outbox = new Outbox(System::nanoTime, this::heard);

  /** The callback of the waiting poll; null when none waits. */
  private final AtomicReference<@Nullable Reply> waiting = new AtomicReference<>();

  /** The callback of a delivery whose messages are being handled; null when there is none. */
  private final AtomicReference<@Nullable Reply> delivering = new AtomicReference<>();

  private long received;
  private volatile boolean ended;

  /** Time since the worker polled or joined. */
  private final AtomicLong silentMillis = new AtomicLong();

  /** Whether the channel has to be checked for its end. */
  private final AtomicBoolean isInDoubt = new AtomicBoolean();

  /** Answers a call; called once. */
  interface Reply {

    /**
     * Sends the answer.
     *
     * @param received how many messages the worker has sent in all
     * @param next messages for the worker
     */
    void answer(long received, Batch next);
  }

  /**
   * Creates an open channel.
   *
   * @param process identifies the worker's process among those in the same container
   * @param epoch identifies this channel
   * @param answers runs the answers to polls, and the listener's last call
   * @param onEnd called once, before the listener's last call
   */
  WorkerChannel(
      String worker,
      long process,
      long epoch,
      WorkerRpcServer.Listener listener,
      Executor answers,
      Consumer<WorkerChannel> onEnd) {
    this.worker = worker;
    this.process = process;
    this.epoch = epoch;
    this.listener = listener;
    this.answers = answers;
    this.onEnd = onEnd;
  }

  String worker() {
    return worker;
  }

  long process() {
    return process;
  }

  long epoch() {
    return epoch;
  }

  @Override
  public void send(Message message) {
    if (ended) {
      return;
    }
    outbox.add(message);
    if (outbox.queued() > MAX_QUEUED && isInDoubt.compareAndSet(false, true)) {
      later(() -> end("more than " + MAX_QUEUED + " messages wait for it"));
    } else if (delivering.get() == null && waiting.get() != null) {
      // Otherwise the answer to the delivery has it.
      later(() -> answer(waiting));
    }
  }

  private void later(Runnable work) {
    try {
      answers.execute(() -> attempt(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("The server has stopped", e);
    }
  }

  /** Logs exceptions, which the executor would drop. */
  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A task for worker {} failed", worker, e);
    }
  }

  /** The worker has joined again and starts to poll. */
  void joinedAgain() {
    silentMillis.set(0);
  }

  /**
   * The worker polls for messages. A new poll replaces an earlier one, which belongs to a lost
   * connection.
   *
   * @param acknowledged how many messages the worker has received
   * @param reply called with the next messages
   */
  void poll(long acknowledged, Reply reply) throws IOException {
    silentMillis.set(0);
    outbox.acknowledge(acknowledged);
    replace(waiting, reply, acknowledged);
    if (ended || !outbox.isEmpty()) {
      answer(waiting);
    }
  }

  /** Also answers a call that belongs to a lost connection. */
  private void replace(AtomicReference<@Nullable Reply> call, Reply reply, long acknowledged) {
    Reply lost = call.getAndSet(reply);
    if (lost != null) {
      lost.answer(received(), new Batch(acknowledged, List.of()));
    }
  }

  /** Answers a waiting call, with an empty batch when no message is queued. */
  private void answer(AtomicReference<@Nullable Reply> call) {
    Reply reply = call.getAndSet(null);
    if (reply != null) {
      reply.answer(received(), batch());
    }
  }

  /** Returns the next batch. If it cannot be built, ends the channel and returns an empty batch. */
  private Batch batch() {
    try {
      return outbox.batch();
    } catch (RuntimeException | Error e) {
      LOG.error("Cannot build a batch of messages for {}", worker, e);
      later(() -> end("no message can be sent to it: " + e));
      return new Batch(0, List.of());
    }
  }

  /**
   * The worker sends messages, one batch at a time. The answer waits until they are handled,
   * because the report of a task causes the next order.
   */
  void tell(long acknowledged, Batch sent, Reply reply) throws IOException {
    outbox.acknowledge(acknowledged);
    replace(delivering, reply, acknowledged);
    try {
      receive(sent);
    } catch (IOException | RuntimeException | Error e) {
      delivering.set(null);
      throw e;
    }
    listener.whenHandled(() -> later(() -> answer(delivering)));
  }

  private synchronized void receive(Batch sent) throws IOException {
    for (Batch.Item item : sent.after(received)) {
      received++;
      heard(item.message(0));
    }
  }

  private synchronized long received() {
    return received;
  }

  private synchronized void heard(Message message) {
    if (!ended) {
      listener.received(worker, message);
    }
  }

  /**
   * Adds time in which this process ran; its own pauses do not count as the worker's silence. Only
   * polls count as activity, because messages to a worker that does not poll would pile up.
   *
   * @param millis since the last call
   */
  void checkSilence(long millis, RpcConfig config) {
    // The messages may wait for an event loop that has not begun.
    answer(delivering);
    long silent = silentMillis.addAndGet(millis);
    if (silent < config.silence().toMillis()) {
      if (silent >= config.pollMillis()) {
        answer(waiting);
      }
    } else if (isInDoubt.compareAndSet(false, true)) {
      later(() -> endIfSilent(config.silence().toMillis()));
    }
  }

  /** Checked again: the worker may have polled meanwhile. */
  private void endIfSilent(long millis) {
    if (silentMillis.get() >= millis) {
      end("nothing heard for " + millis + " ms");
    } else {
      isInDoubt.set(false);
    }
  }

  /** Ends the channel; later messages are dropped. Idempotent. */
  void end(String reason) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    onEnd.accept(this);
    answer(waiting);
    listener.lost(worker, reason);
  }

  @Override
  public void close() {
    later(() -> end("closed by the ApplicationMaster"));
  }
}
