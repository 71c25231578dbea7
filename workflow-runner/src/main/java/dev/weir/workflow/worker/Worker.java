package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.rpc.MasterConnection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the attempts that the ApplicationMaster orders: stages the inputs of each on arrival, and
 * runs as many commands at a time as there is room for. When the ApplicationMaster is lost it
 * continues with the held attempts, until there is a new one or none is expected.
 */
final class Worker implements MasterConnection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final TaskRunner runner;
  private final ResourceGate gate;
  private final ExecutorService attempts;
  private final MasterLink link;

  /** One entry for each ended connection: whether the worker ends with it. */
  private final BlockingQueue<Boolean> connectionEnds = new LinkedBlockingQueue<>();

  private final Map<AttemptKey, InHand> inHand = new ConcurrentHashMap<>();
  private final Set<AttemptKey> stopped = ConcurrentHashMap.newKeySet();
  private final Map<AttemptKey, CompletableFuture<Boolean>> permitRequests =
      new ConcurrentHashMap<>();
  private final Handlers handlers;

  /**
   * Handlers of messages that are not about attempts.
   *
   * @param output handles the output of commands
   * @param transferTurns receives permits to move large files
   * @param others handles other messages, and returns whether it knows the type
   */
  record Handlers(
      CommandOutput output,
      Consumer<Message.TransferTurn> transferTurns,
      Predicate<Message> others) {}

  private record InHand(ResourceGate.Ticket ticket, Future<?> work) {}

  /**
   * Creates a worker.
   *
   * @param attempts has a thread for each held attempt; the ApplicationMaster limits their number
   * @param link to the ApplicationMaster, not started
   */
  Worker(
      TaskRunner runner,
      ResourceGate gate,
      ExecutorService attempts,
      MasterLink link,
      Handlers handlers) {
    this.runner = runner;
    this.gate = gate;
    this.attempts = attempts;
    this.link = link;
    this.handlers = handlers;
  }

  /** Works until an ApplicationMaster shuts it down, or is lost and has no successor. */
  void work() throws InterruptedException {
    link.start(this);
    try {
      while (!connectionEnds.take() && link.renew(this)) {
        // The request or its answer may have been lost.
        permitRequests.keySet().forEach(this::requestPermit);
      }
    } finally {
      attempts.shutdownNow();
      link.close();
    }
  }

  @Override
  public void received(Message message) {
    if (message instanceof Message.Run run) {
      start(run.order());
    } else if (message instanceof Message.Recall recall) {
      recall(new AttemptKey(recall.task(), recall.attempt()));
    } else if (message instanceof Message.Stop stop) {
      stop(new AttemptKey(stop.task(), stop.attempt()));
    } else if (message instanceof Message.Permit permit) {
      permitAnswered(new AttemptKey(permit.task(), permit.attempt()), permit.granted());
    } else if (message instanceof Message.ShowLog show) {
      runInBackground(() -> handlers.output().requested(show.task()));
    } else if (message instanceof Message.TransferTurn turn) {
      handlers.transferTurns().accept(turn);
    } else if (message instanceof Message.Noted noted) {
      link.acknowledged(noted.reports());
    } else if (message instanceof Message.Shutdown) {
      LOG.info("The ApplicationMaster shuts this worker down");
      connectionEnds.add(true);
    } else if (!handlers.others().test(message)) {
      LOG.warn("Ignored a message of type {}", message.getClass().getSimpleName());
    }
  }

  private void start(TaskOrder order) {
    ResourceGate.Ticket ticket = gate.ticket(order.needs());
    FutureTask<?> work = new FutureTask<>(() -> attempt(order, ticket), null);
    link.add(order);
    inHand.put(AttemptKey.of(order), new InHand(ticket, work));
    try {
      attempts.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Task {} was ordered after the shutdown", order.task(), e);
    }
  }

  private void runInBackground(Runnable work) {
    try {
      attempts.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("A log was requested after the shutdown", e);
    }
  }

  private void recall(AttemptKey key) {
    if (!recallUnlessStarted(key) && inHand.containsKey(key)) {
      link.send(new Message.Begun(key.task(), key.attempt()));
    }
  }

  /** Recalls an attempt, and returns whether that succeeded: its command had not started. */
  private boolean recallUnlessStarted(AttemptKey key) {
    InHand attempt = inHand.get(key);
    if (attempt == null || !attempt.ticket().recall()) {
      return false;
    }
    inHand.remove(key);
    LOG.debug("Task {} attempt {} is recalled", key.task(), key.attempt());
    attempt.work().cancel(true);
    link.report(TaskReport.recalled(key.task(), key.attempt()));
    return true;
  }

  /** The attempt's own thread reports once the command has ended. */
  private void stop(AttemptKey key) {
    InHand attempt = inHand.get(key);
    if (attempt != null && !recallUnlessStarted(key)) {
      LOG.info("Stopping task {} attempt {}", key.task(), key.attempt());
      stopped.add(key);
      attempt.work().cancel(true);
    }
  }

  /**
   * After a change of the ApplicationMaster, another worker may have an attempt at the same task.
   */
  private void awaitPermit(AttemptKey key, boolean asks) throws InterruptedException {
    if (asks || !link.commitsUnasked(key)) {
      requestAndAwaitPermit(key);
    }
  }

  /**
   * The ApplicationMaster permits only one of two attempts to commit; the other one ends as
   * stopped.
   */
  private void requestAndAwaitPermit(AttemptKey key) throws InterruptedException {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    permitRequests.put(key, answer);
    try {
      requestPermit(key);
      if (!answer.get()) {
        stopped.add(key);
        throw new InterruptedException(
            "another attempt at task " + key.task() + " committed first");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      permitRequests.remove(key);
    }
  }

  private void requestPermit(AttemptKey key) {
    link.send(new Message.MayCommit(key.task(), key.attempt()));
  }

  private void permitAnswered(AttemptKey key, boolean granted) {
    CompletableFuture<Boolean> requestPermit = permitRequests.get(key);
    if (requestPermit != null) {
      if (granted) {
        link.mayCommit(key);
      }
      requestPermit.complete(granted);
    }
  }

  private void attempt(TaskOrder order, ResourceGate.Ticket ticket) {
    try {
      LOG.debug("Starting task {} attempt {}", order.task(), order.attempt());
      handlers.output().starting(order);
      TaskReport report =
          runner.run(order, ticket, asks -> awaitPermit(AttemptKey.of(order), asks));
      if (!ticket.recalled()) {
        finished(order, report);
      }
      LOG.debug("Task {} attempt {} has ended", order.task(), order.attempt());
    } catch (InterruptedException e) {
      LOG.debug("Task {} attempt {} was stopped", order.task(), order.attempt(), e);
      if (stopped.contains(AttemptKey.of(order))) {
        link.report(TaskReport.stopped(order.task(), order.attempt()));
      } else {
        Thread.currentThread().interrupt();
      }
    } catch (RuntimeException | Error e) {
      // After an internal error no report is reliable, and without one the run would wait
      // forever.
      LOG.error(
          "Task {} attempt {} failed by an internal error; this worker ends",
          order.task(),
          order.attempt(),
          e);
      connectionEnds.add(true);
    } finally {
      handlers.output().finished(order);
      inHand.remove(AttemptKey.of(order));
      stopped.remove(AttemptKey.of(order));
    }
  }

  /** Reports the result. Errors after a stop are ignored. */
  private void finished(TaskOrder order, TaskReport report) {
    if (report.result() != TaskReport.Result.SUCCEEDED && stopped.contains(AttemptKey.of(order))) {
      LOG.debug("Task {} attempt {} was stopped: {}", order.task(), order.attempt(), report);
      link.report(TaskReport.stopped(order.task(), order.attempt()));
    } else {
      handlers.output().ended(order, report);
      link.report(report);
    }
  }

  @Override
  public void ended(String reason) {
    LOG.info("The connection to the ApplicationMaster has ended: {}", reason);
    link.disconnected();
    connectionEnds.add(false);
  }
}
