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
final class WorkerSession implements Connection {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerSession.class);

  /** Who has so many messages to come receives none of them. */
  static final int MAX_QUEUED = 100_000;

  private final String worker;
  private final long process;
  private final long epoch;
  private final WorkerRpcServer.Listener listener;
  private final Executor answers;
  private final Consumer<WorkerSession> onEnd;
  private final Outbox outbox = new Outbox(System::nanoTime, this::heard);

  /** Where the poll that waits is answered; null when none does. */
  private final AtomicReference<@Nullable Consumer<Batch>> waiting = new AtomicReference<>();

  private long received;
  private volatile boolean ended;

  /** Since the worker has polled, or joined. */
  private final AtomicLong silentMillis = new AtomicLong();

  /** Whether it is to be looked at again whether the session has to end. */
  private final AtomicBoolean isInDoubt = new AtomicBoolean();

  /**
   * An open session.
   *
   * @param worker id of the worker
   * @param process tells the worker's process from another in the same container
   * @param epoch tells this session from all others
   * @param answers answers polls, and tells the listener that the session has ended
   * @param onEnd called once, before the listener hears that the session has ended
   */
  WorkerSession(
      String worker,
      long process,
      long epoch,
      WorkerRpcServer.Listener listener,
      Executor answers,
      Consumer<WorkerSession> onEnd) {
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
      LOG.debug("The server has ended", e);
    }
  }

  /** The executor would say nothing of what is thrown. */
  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("What was to be done for {} has failed", worker, e);
    }
  }

  /** The worker has joined again: it is there, and polls from now on. */
  void joinedAgain() {
    silentMillis.set(0);
  }

  /**
   * The worker waits for messages. Of two polls the earlier one is of a connection that was lost.
   *
   * @param acknowledged how many messages the worker has received
   * @param reply called once with those that follow
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

  /** Answers the poll that waits, with nothing when there is nothing to say. */
  private void answer() {
    Consumer<Batch> reply = waiting.getAndSet(null);
    if (reply != null) {
      reply.accept(batch());
    }
  }

  /** What is to be said; nothing, and the session ends, when that cannot be put together. */
  private Batch batch() {
    try {
      return outbox.batch();
    } catch (RuntimeException | Error e) {
      LOG.error("{} cannot be told anything", worker, e);
      later(() -> end("it cannot be told anything: " + e));
      return new Batch(0, List.of());
    }
  }

  /**
   * The worker says something.
   *
   * @return how many messages it has said
   */
  synchronized long tell(Batch batch) throws IOException {
    for (Batch.Item item : batch.after(received)) {
      received++;
      heard(item.message(0));
    }
    return received;
  }

  private synchronized void heard(Message message) {
    if (!ended) {
      listener.said(worker, message);
    }
  }

  /**
   * Time has passed in which this process has run: a pause of its own is not the worker's silence.
   * Only polls count: what is said to a worker that makes other calls alone would pile up.
   *
   * @param millis since the last call
   */
  void passed(long millis, RpcConfig config) {
    long silent = silentMillis.addAndGet(millis);
    if (silent < config.silence().toMillis()) {
      if (silent >= config.pollMillis()) {
        answer();
      }
    } else if (isInDoubt.compareAndSet(false, true)) {
      later(() -> endIfSilent(config.silence().toMillis()));
    }
  }

  /** It may have called while this waited for a thread. */
  private void endIfSilent(long millis) {
    if (silentMillis.get() >= millis) {
      end("nothing heard for " + millis + " ms");
    } else {
      isInDoubt.set(false);
    }
  }

  /** Ends the session; what is said after that is not heard. Idempotent. */
  void end(String reason) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    onEnd.accept(this);
    answer();
    listener.left(worker, reason);
  }

  @Override
  public void close() {
    later(() -> end("closed by the ApplicationMaster"));
  }
}
