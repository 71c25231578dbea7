package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the attempts that come over a connection, in their order, until the connection ends. */
final class Worker implements Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final TaskRunner runner;
  private final ExecutorService attempts;
  private final Connection connection;
  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * A worker.
   *
   * @param runner makes the attempts
   * @param attempts a single thread for them
   * @param connection to the ApplicationMaster, not yet started
   */
  Worker(TaskRunner runner, ExecutorService attempts, Connection connection) {
    this.runner = runner;
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
      attempts.execute(() -> attempt(run.order()));
    } else if (message instanceof Message.Shutdown) {
      LOG.info("Told to stop");
      over.countDown();
    } else {
      LOG.warn("Ignored a message of type {}", message.getClass().getSimpleName());
    }
  }

  private void attempt(TaskOrder order) {
    try {
      LOG.info("Task {} attempt {} begins", order.task(), order.attempt());
      connection.send(new Message.Ended(runner.run(order)));
      LOG.info("Task {} attempt {} has ended", order.task(), order.attempt());
    } catch (InterruptedException e) {
      LOG.info("Task {} attempt {} was stopped", order.task(), order.attempt());
      Thread.currentThread().interrupt();
    } catch (Error e) {
      // No report can be trusted now, and none would leave the run waiting for ever.
      LOG.error("Task {} attempt {} broke this worker", order.task(), order.attempt(), e);
      over.countDown();
    }
  }

  @Override
  public void ended(String reason) {
    LOG.info("The connection to the ApplicationMaster has ended: {}", reason);
    over.countDown();
  }
}
