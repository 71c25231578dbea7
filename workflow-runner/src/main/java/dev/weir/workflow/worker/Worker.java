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
 * Makes the attempts that the ApplicationMaster wants: stages the inputs of each as it comes, and
 * runs as many commands at a time as there is room for. When the ApplicationMaster is gone it goes
 * on with what it has in hand, until there is another one or none is to be expected.
 */
final class Worker implements MasterConnection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final TaskRunner runner;
  private final ResourceGate gate;
  private final ExecutorService attempts;
  private final MasterLink link;

  /** Of each connection whether the worker is to end with it. */
  private final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();

  private final Map<AttemptKey, InHand> inHand = new ConcurrentHashMap<>();
  private final Set<AttemptKey> stopped = ConcurrentHashMap.newKeySet();
  private final Map<AttemptKey, CompletableFuture<Boolean>> questions = new ConcurrentHashMap<>();
  private final Aides aides;

  /**
   * Who does what is no attempt.
   *
   * @param printed looks after what commands print
   * @param turns hears when a large file may be moved
   * @param others hears what else is said, and says whether it was for it
   */
  record Aides(
      CommandOutput printed, Consumer<Message.TransferTurn> turns, Predicate<Message> others) {}

  private record InHand(ResourceGate.Ticket turn, Future<?> work) {}

  /**
   * A worker.
   *
   * @param runner makes the attempts
   * @param gate says when commands may begin
   * @param attempts a thread for each attempt in hand; the ApplicationMaster bounds their number
   * @param link to the ApplicationMaster, not yet started
   * @param aides what else it is told is for them
   */
  Worker(
      TaskRunner runner,
      ResourceGate gate,
      ExecutorService attempts,
      MasterLink link,
      Aides aides) {
    this.runner = runner;
    this.gate = gate;
    this.attempts = attempts;
    this.link = link;
    this.aides = aides;
  }

  /** Works until an ApplicationMaster says that it is over, or is gone and no other comes. */
  void work() throws InterruptedException {
    link.start(this);
    try {
      while (!ends.take() && link.renew(this)) {
        // What was asked may not have been heard, or the answer been lost.
        questions.keySet().forEach(this::question);
      }
    } finally {
      attempts.shutdownNow();
      link.close();
    }
  }

  @Override
  public void received(Message message) {
    if (message instanceof Message.Run run) {
      begin(run.order());
    } else if (message instanceof Message.Recall recall) {
      recalled(new AttemptKey(recall.task(), recall.attempt()));
    } else if (message instanceof Message.Stop stop) {
      stop(new AttemptKey(stop.task(), stop.attempt()));
    } else if (message instanceof Message.Permit permit) {
      answered(new AttemptKey(permit.task(), permit.attempt()), permit.granted());
    } else if (message instanceof Message.ShowLog show) {
      aside(() -> aides.printed().wanted(show.task()));
    } else if (message instanceof Message.TransferTurn turn) {
      aides.turns().accept(turn);
    } else if (message instanceof Message.Noted noted) {
      link.noted(noted.reports());
    } else if (message instanceof Message.Shutdown) {
      LOG.info("Told to stop");
      ends.add(true);
    } else if (!aides.others().test(message)) {
      LOG.warn("Ignored a message of type {}", message.getClass().getSimpleName());
    }
  }

  private void begin(TaskOrder order) {
    ResourceGate.Ticket turn = gate.ticket(order.needs());
    FutureTask<?> work = new FutureTask<>(() -> attempt(order, turn), null);
    link.given(order);
    inHand.put(AttemptKey.of(order), new InHand(turn, work));
    try {
      attempts.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Task {} came after the end", order.task(), e);
    }
  }

  private void aside(Runnable work) {
    try {
      attempts.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Something was wanted after the end", e);
    }
  }

  private void recalled(AttemptKey key) {
    if (!giveBack(key) && inHand.containsKey(key)) {
      link.send(new Message.Begun(key.task(), key.attempt()));
    }
  }

  /** Whether it could be given back: its command had not begun. */
  private boolean giveBack(AttemptKey key) {
    InHand attempt = inHand.get(key);
    if (attempt == null || !attempt.turn().recall()) {
      return false;
    }
    inHand.remove(key);
    LOG.debug("Task {} attempt {} is given back", key.task(), key.attempt());
    attempt.work().cancel(true);
    link.report(TaskReport.recalled(key.task(), key.attempt()));
    return true;
  }

  /** The attempt's own thread reports when its command is dead. */
  private void stop(AttemptKey key) {
    InHand attempt = inHand.get(key);
    if (attempt != null && !giveBack(key)) {
      LOG.info("Task {} attempt {} is to be stopped", key.task(), key.attempt());
      stopped.add(key);
      attempt.work().cancel(true);
    }
  }

  /** Who has lost an ApplicationMaster since cannot know whether it is the only one. */
  private void permitted(AttemptKey key, boolean asks) throws InterruptedException {
    if (asks || !link.commitsUnasked(key)) {
      ask(key);
    }
  }

  /** Of two attempts the ApplicationMaster lets one commit; the other is as good as stopped. */
  private void ask(AttemptKey key) throws InterruptedException {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    questions.put(key, answer);
    try {
      question(key);
      if (!answer.get()) {
        stopped.add(key);
        throw new InterruptedException("another attempt at task " + key.task() + " was first");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      questions.remove(key);
    }
  }

  private void question(AttemptKey key) {
    link.send(new Message.MayCommit(key.task(), key.attempt()));
  }

  private void answered(AttemptKey key, boolean granted) {
    CompletableFuture<Boolean> question = questions.get(key);
    if (question != null) {
      if (granted) {
        link.mayCommit(key);
      }
      question.complete(granted);
    }
  }

  private void attempt(TaskOrder order, ResourceGate.Ticket turn) {
    try {
      LOG.debug("Task {} attempt {} begins", order.task(), order.attempt());
      aides.printed().begins(order);
      TaskReport report = runner.run(order, turn, asks -> permitted(AttemptKey.of(order), asks));
      if (!turn.recalled()) {
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
      // No report can be trusted now, and none would leave the run waiting for ever.
      LOG.error("Task {} attempt {} broke this worker", order.task(), order.attempt(), e);
      ends.add(true);
    } finally {
      aides.printed().over(order);
      inHand.remove(AttemptKey.of(order));
      stopped.remove(AttemptKey.of(order));
    }
  }

  /** What went wrong because it was told to stop is nobody's trouble, and tells of none. */
  private void finished(TaskOrder order, TaskReport report) {
    if (report.result() != TaskReport.Result.SUCCEEDED && stopped.contains(AttemptKey.of(order))) {
      LOG.debug("Task {} attempt {} was stopped: {}", order.task(), order.attempt(), report);
      link.report(TaskReport.stopped(order.task(), order.attempt()));
    } else {
      aides.printed().ended(order, report);
      link.report(report);
    }
  }

  @Override
  public void ended(String reason) {
    LOG.info("The connection to the ApplicationMaster has ended: {}", reason);
    link.cut();
    ends.add(false);
  }
}
