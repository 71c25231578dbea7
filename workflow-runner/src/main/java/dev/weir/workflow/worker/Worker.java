package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the attempts that come over a connection until the connection ends: stages the inputs of
 * each as it comes, and runs as many commands at a time as there is room for.
 */
final class Worker implements Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final TaskRunner runner;
  private final Gate gate;
  private final ExecutorService attempts;
  private final Connection connection;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Map<Key, Attempt> inHand = new ConcurrentHashMap<>();

  private record Key(String task, int attempt) {}

  private record Attempt(Gate.Ticket turn, Future<?> work) {}

  /**
   * A worker.
   *
   * @param runner makes the attempts
   * @param gate says when commands may begin
   * @param attempts a thread for each attempt in hand; the ApplicationMaster bounds their number
   * @param connection to the ApplicationMaster, not yet started
   */
  Worker(TaskRunner runner, Gate gate, ExecutorService attempts, Connection connection) {
    this.runner = runner;
    this.gate = gate;
    this.attempts = attempts;
    this.connection = connection;
  }

  /** Works until the ApplicationMaster is gone or says that it is over. */
  void work() throws InterruptedException {
    connection.start(this);
    try {
      over.await();
    } finally {
      attempts.shutdownNow();
      connection.close();
    }
  }

  @Override
  public void received(Message message) {
    if (message instanceof Message.Run run) {
      begin(run.order());
    } else if (message instanceof Message.Recall recall) {
      giveBack(recall);
    } else if (message instanceof Message.Shutdown) {
      LOG.info("Told to stop");
      over.countDown();
    } else {
      LOG.warn("Ignored a message of type {}", message.getClass().getSimpleName());
    }
  }

  private void begin(TaskOrder order) {
    Gate.Ticket turn = gate.ticket(order.needs());
    FutureTask<?> work = new FutureTask<>(() -> attempt(order, turn), null);
    inHand.put(new Key(order.task(), order.attempt()), new Attempt(turn, work));
    try {
      attempts.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Task {} came after the end", order.task(), e);
    }
  }

  private void giveBack(Message.Recall recall) {
    Key key = new Key(recall.task(), recall.attempt());
    Attempt attempt = inHand.get(key);
    if (attempt != null && attempt.turn().recall()) {
      inHand.remove(key);
      LOG.debug("Task {} attempt {} is given back", recall.task(), recall.attempt());
      attempt.work().cancel(true);
      connection.send(new Message.Ended(TaskReport.recalled(recall.task(), recall.attempt())));
    }
  }

  private void attempt(TaskOrder order, Gate.Ticket turn) {
    try {
      LOG.debug("Task {} attempt {} begins", order.task(), order.attempt());
      TaskReport report = runner.run(order, turn);
      if (!turn.recalled()) {
        connection.send(new Message.Ended(report));
      }
      LOG.debug("Task {} attempt {} has ended", order.task(), order.attempt());
    } catch (InterruptedException e) {
      LOG.debug("Task {} attempt {} was stopped", order.task(), order.attempt(), e);
      Thread.currentThread().interrupt();
    } catch (Error e) {
      // No report can be trusted now, and none would leave the run waiting for ever.
      LOG.error("Task {} attempt {} broke this worker", order.task(), order.attempt(), e);
      over.countDown();
    } finally {
      inHand.remove(new Key(order.task(), order.attempt()));
    }
  }

  @Override
  public void ended(String reason) {
    LOG.info("The connection to the ApplicationMaster has ended: {}", reason);
    over.countDown();
  }
}
