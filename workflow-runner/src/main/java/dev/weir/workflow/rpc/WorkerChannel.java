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
  private final AtomicReference<@Nullable Consumer<Batch>> waiting = new AtomicReference<>();

  private long received;
  private volatile boolean ended;

  /** Time since the worker polled or joined. */
  private final AtomicLong silentMillis = new AtomicLong();

  /** Whether the channel has to be checked for its end. */
  private final AtomicBoolean isInDoubt = new AtomicBoolean();

  /**
   * Creates an open channel.
   *
   * @param worker id of the worker
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
    } else if (waiting.get() != null) {
      later(this::answer);
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
   * @param reply called once with the next messages
   */
  void poll(long acknowledged, Consumer<Batch> reply) throws IOException {
    silentMillis.set(0);
    outbox.acknowledge(acknowledged);
    Consumer<Batch> lost = waiting.getAndSet(reply);
    if (lost != null) {
      lost.accept(new Batch(acknowledged, List.of()));
    }
    if (ended || !outbox.isEmpty()) {
      answer();
    }
  }

  /** Answers the waiting poll, with an empty batch when no message is queued. */
  private void answer() {
    Consumer<Batch> reply = waiting.getAndSet(null);
    if (reply != null) {
      reply.accept(batch());
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
   * The worker sends messages.
   *
   * @return how many messages it has sent in all
   */
  synchronized long receive(Batch batch) throws IOException {
    for (Batch.Item item : batch.after(received)) {
      received++;
      heard(item.message(0));
    }
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
    long silent = silentMillis.addAndGet(millis);
    if (silent < config.silence().toMillis()) {
      if (silent >= config.pollMillis()) {
        answer();
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
    answer();
    listener.lost(worker, reason);
  }

  @Override
  public void close() {
    later(() -> end("closed by the ApplicationMaster"));
  }
}
