package dev.weir.workflow.controller;

import dev.weir.workflow.concurrent.BackgroundTasks;
import dev.weir.workflow.journal.CommitLease;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.scheduler.CopyAheadTotals;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Effect;
import dev.weir.workflow.scheduler.NodeCaches;
import dev.weir.workflow.scheduler.PendingInputs;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.ScopedId;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.SteeringAnswer;
import dev.weir.workflow.scheduler.Step;
import dev.weir.workflow.scheduler.WorkerInfo;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which everything happens to the dispatcher. Any thread may tell it what
 * happened; nobody waits for it.
 */
public final class SessionController {

  private static final Logger LOG = LoggerFactory.getLogger(SessionController.class);

  private static final String FAILED_HERE = "the ApplicationMaster failed at it: ";

  private final Dispatcher dispatcher;
  private final OrderFactory orders;
  private final Journal journal;
  private final RecordListener recorder;
  private final GraphEvents graphs;
  private final Clock clock;
  private final ExecutorService loop;
  private final EventLoopQueries questions;
  private final BackgroundTasks background;
  private final WorkerConnections workers = new WorkerConnections();
  private final ReportAcknowledger noting =
      new ReportAcknowledger(workers, this::written, this::post);
  private final CompletableFuture<Optional<RunFailure>> outcome = new CompletableFuture<>();
  private volatile CommitLease tenure = CommitLease.unlimited();
  private volatile boolean shared;
  private volatile Progress progress;

  /** What was last known of each graph, for who asks while the loop has much to do. */
  private final Map<String, Progress> progressOf = new ConcurrentHashMap<>();

  private final Map<String, Progress.Details> detailsOf = new ConcurrentHashMap<>();

  /** What a controller hands its decisions to. */
  public record Outlets(
      OrderFactory orders, Journal journal, RecordListener recorder, GraphEvents graphs) {}

  /**
   * Where a controller works.
   *
   * @param loop a single thread, on which nothing blocks
   * @param background for what blocks
   */
  public record Threads(ExecutorService loop, Executor background) {}

  /**
   * A controller.
   *
   * @param dispatcher after replay, not started
   */
  public SessionController(Dispatcher dispatcher, Outlets outlets, Clock clock, Threads threads) {
    this.dispatcher = dispatcher;
    this.orders = outlets.orders();
    this.journal = outlets.journal();
    this.recorder = outlets.recorder();
    this.graphs = outlets.graphs();
    this.clock = clock;
    this.loop = threads.loop();
    this.questions = new EventLoopQueries(loop);
    this.background = new BackgroundTasks(threads.background(), outcome::completeExceptionally);
    this.progress = dispatcher.progress();
    // Nothing would be told or committed any more, and what is done could not be gone on from.
    journal.onBroken(outcome::completeExceptionally);
  }

  /**
   * Lets attempts commit, and says that something is in the journal, only while no other
   * ApplicationMaster is known to have come. To be called before anything happens.
   */
  public void under(CommitLease of) {
    tenure = of;
  }

  /**
   * Has what cannot be done for one run or job end that one alone, for the session has others.
   * Without this it ends the ApplicationMaster, and the next one may do better.
   */
  public void share() {
    shared = true;
  }

  public void start() {
    post(() -> dispatcher.start(clock.millis()));
  }

  public void joined(WorkerInfo worker, Connection connection) {
    post(
        () -> {
          if (!workers.join(worker.id(), connection)) {
            LOG.info("Worker {} comes too late", worker.id());
            return Step.NOTHING;
          }
          LOG.info("Worker {} joined on {}", worker.id(), worker.node());
          recorder.workerJoined(worker, clock.millis());
          return dispatcher.workerJoined(worker, clock.millis());
        });
  }

  /** A worker that has joined says what an earlier ApplicationMaster has given it. */
  public void returned(String worker, List<HeldAttempt> attempts) {
    post(
        () -> {
          if (!attempts.isEmpty()) {
            LOG.info("Worker {} has {} attempts in hand", worker, attempts.size());
          }
          return dispatcher.returningWorkers().returned(worker, attempts, clock.millis());
        });
  }

  public void reported(String worker, TaskReport report) {
    post(
        () -> {
          noting.reported(worker);
          return dispatcher.reported(worker, orders.accept(report), clock.millis());
        });
  }

  public void mayCommit(String worker, String task, int attempt) {
    post(() -> dispatcher.mayCommit(worker, task, attempt, clock.millis()));
  }

  /** A worker does not give back what it was asked for. */
  public void begun(String worker, String task, int attempt) {
    post(() -> dispatcher.begun(worker, task, attempt, clock.millis()));
  }

  /** Nodes have other files than before, of which the dispatcher is told on its thread. */
  public void placesChanged(BiFunction<NodeCaches, Long, Step> news) {
    post(() -> news.apply(dispatcher.caches(), clock.millis()));
  }

  /** What was copied ahead of tasks. Blocks for a second. */
  public CopyAheadTotals copiedAhead() {
    return questions.ask(dispatcher.caches()::copiedAhead, new CopyAheadTotals(0, 0));
  }

  /** Time has passed. */
  public void tick() {
    post(
        () -> {
          noting.tell();
          return dispatcher.tick(clock.millis());
        });
  }

  public void lost(String worker, String reason) {
    post(
        () -> {
          noting.left(worker);
          if (workers.lose(worker)) {
            LOG.info("Worker {} is lost: {}", worker, reason);
            recorder.workerEnded(worker, clock.millis());
          }
          return dispatcher.workerLost(worker, reason, clock.millis());
        });
  }

  /** YARN has killed a worker, which is lost, for the memory of what ran in it. */
  public void killedForMemory(String worker, String reason) {
    post(() -> dispatcher.memoryKills().killedForMemory(worker, reason, clock.millis()));
  }

  /** Follows what the owner of a graph wants, if it was not followed before. */
  public void steer(String graph, String id, Steering wish) {
    if (wish.action() == Steering.Action.SHOW_LOG) {
      post(() -> showLog(graph, id, wish.tasks()));
    } else {
      post(() -> dispatcher.steer(graph, id, wish, clock.millis()));
    }
  }

  /** Whichever worker knows something of the task puts it where it can be seen. */
  private Step showLog(String graph, String id, String task) {
    workers.sendAll(new Message.ShowLog(ScopedId.of(graph, task)));
    SteeringAnswer answer =
        new SteeringAnswer(1, workers.size() + " workers were asked for what it printed");
    return new Step(List.of(), List.of(new Effect.Answer(graph, id, answer)));
  }

  /**
   * Tells the dispatcher something.
   *
   * @return completes when what follows is under way and the journal holds it; exceptionally when
   *     the journal cannot be written
   */
  public CompletableFuture<Void> tell(Supplier<Step> event) {
    CompletableFuture<Void> told = new CompletableFuture<>();
    try {
      loop.execute(
          () -> {
            handle(event);
            var unused =
                written()
                    .whenComplete(
                        (nothing, failure) -> {
                          if (failure == null) {
                            told.complete(null);
                          } else {
                            told.completeExceptionally(failure);
                          }
                        });
          });
    } catch (RejectedExecutionException e) {
      told.completeExceptionally(e);
    }
    return told;
  }

  /**
   * Completes when the journal holds what has happened so far, and another ApplicationMaster that
   * there may be has not read it before; exceptionally when it cannot be written now.
   */
  public CompletableFuture<Void> written() {
    return journal.written().thenCompose(nothing -> tenure.fresh());
  }

  /** Asks something that only the dispatcher's thread knows. */
  public <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop);
  }

  /**
   * Lets the number of workers follow the tasks that are to be done: as many as these could keep
   * busy within the bounds, and idle ones for a while longer.
   *
   * @param inputs ids of files that the next tasks read, as far as anybody wants to know
   */
  public void staff(WorkerPlan plan, WorkerStaffing staff, Supplier<List<List<String>>> inputs) {
    post(
        () -> {
          int busy = Math.min(plan.count(), dispatcher.workerDemand().wantedWorkers());
          int wanted = Math.max(plan.staffing().least(), busy);
          long since = clock.millis() - TimeUnit.SECONDS.toMillis(plan.staffing().idleSeconds());
          for (String worker : dispatcher.workerDemand().dismiss(workers.size() - wanted, since)) {
            dismiss(worker);
            staff.letGo(worker);
          }
          staff.want(wanted, inputs.get());
          return Step.NOTHING;
        });
  }

  private void dismiss(String worker) {
    workers.dismiss(worker);
    noting.left(worker);
    recorder.workerEnded(worker, clock.millis());
  }

  /** Ends the run with what it has come to. */
  public void stop() {
    outcome.complete(Optional.empty());
  }

  /** Ends the run as failed for a reason that is no task's. */
  public void fail(RunFailure failure) {
    outcome.complete(Optional.of(failure));
  }

  /** Ends this ApplicationMaster for a reason that the next one may not meet. */
  public void abort(String reason) {
    abort(reason, null);
  }

  /**
   * The same.
   *
   * @param cause what has led to it, for what is said of the end may depend on that; null for none
   */
  public void abort(String reason, @Nullable Throwable cause) {
    outcome.completeExceptionally(new IOException(reason, cause));
  }

  /** Completes with why the run failed, or with nothing when it succeeded. */
  public CompletableFuture<Optional<RunFailure>> outcome() {
    return outcome;
  }

  /** How far all is, or was a moment ago when the loop has much to do. Blocks for a second. */
  public Progress progress() {
    progress = questions.ask(dispatcher::progress, progress);
    return progress;
  }

  /** How far a graph is, or was a moment ago. Blocks for a second. */
  public Progress progress(String graph) {
    Progress now =
        questions.ask(
            () -> dispatcher.progress(graph),
            progressOf.getOrDefault(graph, new Progress(0, 0, 0, List.of(), 0, 0, 0, 0)));
    progressOf.put(graph, now);
    return now;
  }

  /** The same task by task. Blocks for a second. */
  public Progress.Details details(String graph) {
    Progress.Details now =
        questions.ask(
            () -> dispatcher.details(graph), detailsOf.getOrDefault(graph, Progress.Details.NONE));
    detailsOf.put(graph, now);
    return now;
  }

  /**
   * Has the dispatcher forget a graph that has ended.
   *
   * @return completes exceptionally when workers still have attempts of it
   */
  public CompletableFuture<Void> forget(String graph) {
    progressOf.remove(graph);
    detailsOf.remove(graph);
    return CompletableFuture.runAsync(() -> dispatcher.forgetGraph(graph), loop);
  }

  /**
   * What a further worker would have to do; nothing when the loop has no time to say it. Blocks for
   * a second, and not for the loop's own thread.
   */
  public PendingInputs waiting(int most) {
    return questions.ask(
        () -> dispatcher.workerDemand().pendingInputs(most), new PendingInputs(List.of(), 0));
  }

  private void post(Supplier<Step> handler) {
    try {
      loop.execute(() -> handle(handler));
    } catch (RejectedExecutionException e) {
      LOG.debug("An event came after the end");
    }
  }

  private void handle(Supplier<Step> handler) {
    try {
      Step step = handler.get();
      journal.append(step.records());
      step.records().forEach(recorder::record);
      step.effects().forEach(this::carryOut);
    } catch (RuntimeException | Error e) {
      // Whatever it is: without an outcome the run would never end.
      LOG.error("The dispatcher failed", e);
      outcome.completeExceptionally(e);
    }
  }

  private void carryOut(Effect effect) {
    try {
      act(effect);
    } catch (RuntimeException e) {
      if (!shared || !contain(effect, e)) {
        throw e;
      }
      LOG.error("Not done, and what it was to be done for fails: {}", effect, e);
    }
  }

  /** Whether it can be told which run or job something was to be done for, which fails now. */
  private boolean contain(Effect effect, RuntimeException why) {
    if (effect instanceof Effect.Start start) {
      TaskReport report = TaskReport.refused(start.task(), start.attempt(), FAILED_HERE + why);
      post(() -> dispatcher.reported(start.worker(), report, clock.millis()));
      return true;
    }
    String graph = graph(effect);
    if (graph.isEmpty()) {
      return false;
    }
    graphs.ended(graph, Optional.of(RunFailure.ofRun(FAILED_HERE + why, "")));
    // A steering request is applied once: a failure on the way does not start another.
    Steering cancel = Steering.of(Steering.Action.CANCEL, "");
    post(() -> dispatcher.steer(graph, "failed-here", cancel, clock.millis()));
    return true;
  }

  /** Returns the graph of an effect; empty for an effect of a job or of several graphs. */
  private static String graph(Effect effect) {
    if (effect instanceof Effect.Discard cutOff) {
      return ScopedId.graph(cutOff.task());
    } else if (effect instanceof Effect.DeleteFiles unneeded) {
      return unneeded.graph();
    } else if (effect instanceof Effect.Check check) {
      return check.graph();
    }
    return "";
  }

  private void act(Effect effect) {
    WorkerMessage.of(effect, orders).ifPresent(this::say);
    if (effect instanceof Effect.Start start) {
      LOG.debug("Task {} attempt {} -> {}", start.task(), start.attempt(), start.worker());
      if (start.copy()) {
        LOG.info("Task {} is slow: {} makes a second copy", start.task(), start.worker());
      }
    } else if (effect instanceof Effect.Answer answer) {
      background.run(() -> graphs.answer(answer));
    } else if (effect instanceof Effect.Discard cutOff) {
      List<String> paths = orders.temporaryPaths(cutOff);
      RunFiles keeper = graphs.keeper(ScopedId.graph(cutOff.task()));
      background.run(() -> keeper.remove(paths));
    } else if (effect instanceof Effect.DeleteFiles unneeded) {
      graphs
          .keeper(unneeded.graph())
          .letGo(
              unneeded.files(),
              this::written,
              files -> post(() -> dispatcher.deleted(files, clock.millis())));
    } else if (effect instanceof Effect.Check check) {
      // Now: the run may be cancelled and over when it is this one's turn.
      RunFiles files = graphs.keeper(check.graph());
      background.run(() -> check(check, files));
    } else if (effect instanceof Effect.Failed failed) {
      graphs.ended(failed.graph(), Optional.of(failed.failure()));
    } else if (effect instanceof Effect.Succeeded succeeded) {
      graphs.ended(succeeded.graph(), Optional.empty());
    }
  }

  /** An order that is given while nobody knows who else gives any does not commit unasked. */
  private void say(WorkerMessage telling) {
    if (tenure.isFresh()) {
      workers.send(telling.worker(), telling.message());
    } else if (telling.letsCommit()) {
      tenure.whenFresh(() -> loop.execute(() -> say(telling)));
    } else {
      workers.send(telling.worker(), telling.asking().message());
    }
  }

  private void check(Effect.Check check, RunFiles files) {
    List<String> results = check.results();
    List<String> lost = results.isEmpty() ? List.of() : files.lost(results);
    if (!lost.isEmpty()) {
      LOG.warn("{} results are lost and made again, such as {}", lost.size(), lost.get(0));
    }
    post(() -> dispatcher.checked(check.graph(), lost, clock.millis()));
  }

  /** Tells all workers to stop; they leave. */
  public void shutDownWorkers() {
    post(
        () -> {
          workers.sendAll(new Message.Shutdown());
          return Step.NOTHING;
        });
  }
}
