package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ApplicationMaster's end of the channel to one worker process. Thread-safe. */
final class WorkerSession implements Connection {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerSession.class);

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
  private final AtomicLong silentMillis = new AtomicLong();
  private final AtomicLong waitedMillis = new AtomicLong();

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
    outbox.add(message);
    if (waiting.get() != null) {
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

  /**
   * The worker waits for messages. Of two polls the earlier one is of a connection that was lost.
   *
   * @param acknowledged how many messages the worker has received
   * @param reply called once with those that follow
   */
  void poll(long acknowledged, Consumer<Batch> reply) throws IOException {
    silentMillis.set(0);
    outbox.acknowledge(acknowledged);
    waitedMillis.set(0);
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
    silentMillis.set(0);
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
   *
   * @param millis since the last call
   */
  void passed(long millis, RpcConfig config) {
    if (silentMillis.addAndGet(millis) >= config.silence().toMillis()) {
      later(() -> end("nothing heard for " + config.silence().toMillis() + " ms"));
    } else if (waitedMillis.addAndGet(millis) >= config.pollMillis()) {
      answer();
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
