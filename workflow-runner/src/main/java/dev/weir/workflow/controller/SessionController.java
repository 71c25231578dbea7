package dev.weir.workflow.controller;

import dev.weir.workflow.journal.CommitLease;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.WorkerDemand;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.PendingInputs;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of a session: the only thread that uses the dispatcher. Any thread may post an
 * event; posting does not block.
 */
public final class SessionController {

  private static final Logger LOG = LoggerFactory.getLogger(SessionController.class);

  /** How long another thread waits for an answer of the event loop. */
  private static final long QUERY_MILLIS = 1_000;

  private static final String FAILED_HERE = "the ApplicationMaster failed at it: ";

  private final Dispatcher dispatcher;
  private final OrderFactory orders;
  private final Journal journal;
  private final RecordListener recorder;
  private final GraphEvents graphs;
  private final Clock clock;
  private final ExecutorService loop;
  private final Executor background;
  private final WorkerConnections workers = new WorkerConnections();
  private final DiskNotes diskNotes = new DiskNotes();
  private final ReportAcknowledger acknowledger =
      new ReportAcknowledger(workers::send, this::written, this::post);
  private final CompletableFuture<Optional<RunFailure>> outcome = new CompletableFuture<>();
  private volatile CommitLease commitLease = CommitLease.unlimited();
  private volatile boolean containsFailures;
  private volatile Progress progress;

  /** The last known progress of each graph, returned when the loop is busy. */
  private final Map<String, Progress> progressOf = new ConcurrentHashMap<>();

  private final Map<String, Progress.Details> detailsOf = new ConcurrentHashMap<>();

  /** The receivers of a controller's decisions. */
  public record Collaborators(
      OrderFactory orders, Journal journal, RecordListener recorder, GraphEvents graphs) {}

  /**
   * The threads of a controller.
   *
   * @param loop a single thread, on which nothing blocks
   * @param background for what blocks
   */
  public record Threads(ExecutorService loop, Executor background) {}

  /**
   * Creates a controller.
   *
   * @param dispatcher after replay, not started
   */
  public SessionController(
      Dispatcher dispatcher, Collaborators collaborators, Clock clock, Threads threads) {
    this.dispatcher = dispatcher;
    this.orders = collaborators.orders();
    this.journal = collaborators.journal();
    this.recorder = collaborators.recorder();
    this.graphs = collaborators.graphs();
    this.clock = clock;
    this.loop = threads.loop();
    this.background = threads.background();
    this.progress = dispatcher.progress();
    // Without the journal no report is acknowledged, no attempt commits, and no later attempt could
    // resume.
    journal.onBroken(outcome::completeExceptionally);
  }

  /**
   * Sets the commit lease. Attempts commit, and records count as written, only while the lease
   * shows that no other ApplicationMaster has replaced this one. To be called before the first
   * event.
   */
  public void useLease(CommitLease lease) {
    commitLease = lease;
  }

  /**
   * Makes a failed effect end only its run or job. Otherwise it ends the ApplicationMaster, and the
   * next attempt may succeed.
   */
  public void containFailures() {
    containsFailures = true;
  }

  public void start() {
    post(() -> dispatcher.start(clock.millis()));
  }

  /**
   * A worker has joined.
   *
   * @param dedicated the needs of the tasks that it is dedicated to; null for an ordinary worker
   */
  public void joined(WorkerInfo worker, @Nullable ResourceNeeds dedicated, Connection connection) {
    post(
        () -> {
          if (!workers.join(worker.id(), connection)) {
            LOG.info(
                "Worker {} was released or declared lost; it is told to shut down", worker.id());
            return Step.NOTHING;
          }
          LOG.info("Worker {} joined on {}", worker.id(), worker.node());
          recorder.workerJoined(worker, clock.millis());
          return dispatcher.workerJoined(worker, dedicated, clock.millis());
        });
  }

  /** A worker that has joined reports the attempts that an earlier ApplicationMaster gave it. */
  public void returned(String worker, List<HeldAttempt> attempts) {
    post(
        () -> {
          if (!attempts.isEmpty()) {
            LOG.info("Worker {} reconnected with {} attempts", worker, attempts.size());
          }
          return dispatcher.returned(worker, attempts, clock.millis());
        });
  }

  public void reported(String worker, TaskReport report) {
    post(
        () -> {
          acknowledger.reported(worker);
          return dispatcher.reported(worker, orders.accept(report), clock.millis());
        });
  }

  public void mayCommit(String worker, String task, int attempt) {
    post(() -> dispatcher.mayCommit(worker, task, attempt, clock.millis()));
  }

  /** A worker has begun an attempt, so it does not return it on recall. */
  public void begun(String worker, String task, int attempt) {
    post(() -> dispatcher.begun(worker, task, attempt, clock.millis()));
  }

  /** Runs an action after all events so far. It must not block. */
  public void afterEvents(Runnable action) {
    post(
        () -> {
          action.run();
          return Step.NOTHING;
        });
  }

  /** The cache of a worker's node has changed. */
  public void cached(String worker, Map<String, Long> kept, List<String> gone) {
    post(() -> dispatcher.cached(worker, kept, gone, clock.millis()));
  }

  /** A worker asks whether a copy of a file of its node's store gets its name in HDFS. */
  public void mayWriteBack(String worker, Message.MayWriteBack copy) {
    post(() -> dispatcher.mayWriteBack(worker, copy.file(), copy.nodeMillis(), clock.millis()));
  }

  /** A worker has copied a file of its node's store to HDFS, or has failed to. */
  public void writtenBack(String worker, Message.WrittenBack written) {
    StoredFile copy =
        written.copies().isEmpty() ? null : written.copies().get(0).named(written.file());
    WriteBackEnd end =
        new WriteBackEnd(
            written.nodeMillis(), copy, written.problem(), written.gone(), written.refused());
    post(() -> dispatcher.writtenBack(worker, written.file(), end, clock.millis()));
  }

  /** The disk of a worker is too full for the files in the store of its node. */
  public void diskShortage(String worker, Message.DiskShortage shortage) {
    post(
        () -> {
          diskNotes.note(shortage).ifPresent(graphs::note);
          return dispatcher.diskShortage(worker, shortage.excessBytes(), clock.millis());
        });
  }

  /** Passes the time to the dispatcher; called periodically. */
  public void tick() {
    post(
        () -> {
          acknowledger.acknowledge();
          return dispatcher.tick(clock.millis());
        });
  }

  public void lost(String worker, String reason) {
    post(
        () -> {
          acknowledger.lost(worker);
          if (workers.lose(worker)) {
            LOG.info("Worker {} is lost: {}", worker, reason);
            recorder.workerEnded(worker, clock.millis());
          }
          return dispatcher.workerLost(worker, reason, clock.millis());
        });
  }

  /** YARN has ended a worker for reasons of its own; to be called before or after its loss. */
  public void endedByYarn(String worker, boolean preempted) {
    post(() -> dispatcher.endedByYarn(worker, preempted, clock.millis()));
  }

  /** YARN has killed a worker because its tasks exceeded the memory limit. */
  public void killedForMemory(String worker, String reason) {
    post(() -> dispatcher.killedForMemory(worker, reason, clock.millis()));
  }

  /** YARN takes a node or its containers back until a time; 0 when the node stays. */
  public void leaving(String node, long until) {
    post(() -> dispatcher.leaving(node, until, clock.millis()));
  }

  /** Applies a steering request of a graph's owner, unless it was applied before. */
  public void steer(String graph, String id, Steering request) {
    if (request.action() == Steering.Action.SHOW_LOG) {
      post(() -> showLog(graph, id, request.tasks()));
    } else {
      post(() -> dispatcher.steer(graph, id, request, clock.millis()));
    }
  }

  /**
   * Adds tasks to a graph at a request of its owner or of a sub-workflow, unless they were added
   * before.
   *
   * @param plan name of the file with the tasks
   * @param known what an earlier run has done
   * @return completes as that of {@link #submit}
   */
  public CompletableFuture<Void> grow(
      Graph added, String request, String plan, List<DispatchRecord.TakenOver> known) {
    return submit(
        () ->
            dispatcher.grow(
                added,
                new DispatchRecord.GraphGrown(added.id(), request, plan, clock.millis()),
                known));
  }

  /** The tasks of a sub-workflow cannot be added: the task that stands for it fails. */
  public void notExpanded(String graph, String task, String reason) {
    post(() -> dispatcher.notExpanded(graph, task, reason, clock.millis()));
  }

  /**
   * HDFS has lost the file of a sub-workflow: it is made again, or the task that stands for it
   * fails.
   */
  public void subWorkflowLost(String graph, String task, String reason) {
    post(() -> dispatcher.subWorkflowLost(graph, task, reason, clock.millis()));
  }

  /** Asks all workers: each that has output of the task writes it to HDFS. */
  private Step showLog(String graph, String id, String task) {
    workers.sendAll(new Message.ShowLog(ScopedId.of(graph, task)));
    SteeringAnswer answer =
        new SteeringAnswer(1, workers.size() + " workers were asked for what it printed");
    return new Step(List.of(), List.of(new Effect.Answer(graph, id, answer)));
  }

  /**
   * Submits an event to the dispatcher.
   *
   * @return completes when the event's effects have begun and its records are in the journal;
   *     exceptionally when the journal cannot be written
   */
  public CompletableFuture<Void> submit(Supplier<Step> event) {
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    try {
      loop.execute(
          () -> {
            handle(event);
            var unused =
                written()
                    .whenComplete(
                        (nothing, failure) -> {
                          if (failure == null) {
                            accepted.complete(null);
                          } else {
                            accepted.completeExceptionally(failure);
                          }
                        });
          });
    } catch (RejectedExecutionException e) {
      accepted.completeExceptionally(e);
    }
    return accepted;
  }

  /**
   * Completes when the journal holds all events so far, and no other ApplicationMaster can have
   * read it without them; exceptionally when it cannot be written now.
   */
  public CompletableFuture<Void> written() {
    return journal.written().thenCompose(nothing -> commitLease.fresh());
  }

  /** Evaluates a query on the event loop. */
  public <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop);
  }

  /**
   * Adjusts the number of workers to the ready tasks, within the plan's bounds. Idle workers are
   * released after a delay.
   *
   * @param inputs ids of files that the next tasks read; may be empty
   */
  public void adjustWorkerCount(
      WorkerPlan plan, WorkerStaffing staffing, Supplier<List<List<String>>> inputs) {
    post(
        () -> {
          WorkerDemand demand = dispatcher.workerDemand();
          int busy = Math.min(plan.count(), demand.wantedWorkers());
          int wanted = Math.max(plan.staffing().least(), busy);
          long now = clock.millis();
          long longIdle = now - TimeUnit.SECONDS.toMillis(plan.staffing().idleSeconds());
          // Dedicated workers may need the room of idle ones.
          long since = demand.isWaitingForDedicated() ? now : longIdle;
          List<String> idle =
              new ArrayList<>(demand.dismiss(demand.ordinaryWorkers() - wanted, since));
          boolean areOthersUseless = demand.isOnlyWaitingForDedicated();
          if (areOthersUseless) {
            idle.addAll(demand.dismissAll(longIdle));
          }
          idle.addAll(demand.dismissDedicated(since));
          for (String worker : idle) {
            dismiss(worker);
            staffing.release(worker);
          }
          // No worker is requested that would take the room of a dedicated one.
          staffing.request(areOthersUseless ? 0 : wanted, inputs.get());
          staffing.requestDedicated(demand.wantedDedicated(plan.count()));
          return Step.NOTHING;
        });
  }

  private void dismiss(String worker) {
    workers.dismiss(worker);
    acknowledger.lost(worker);
    recorder.workerEnded(worker, clock.millis());
  }

  /** Ends the session without a failure. */
  public void stop() {
    outcome.complete(Optional.empty());
  }

  /** Ends the session with a failure that no task caused. */
  public void fail(RunFailure failure) {
    outcome.complete(Optional.of(failure));
  }

  /** Ends this application attempt; the next one may succeed. */
  public void abort(String reason) {
    abort(reason, null);
  }

  /**
   * Ends this application attempt; the next one may succeed.
   *
   * @param cause the cause, on which the exit code may depend; null for none
   */
  public void abort(String reason, @Nullable Throwable cause) {
    outcome.completeExceptionally(new IOException(reason, cause));
  }

  /** Completes with the failure, or empty when the session ends without one. */
  public CompletableFuture<Optional<RunFailure>> outcome() {
    return outcome;
  }

  /**
   * Returns the total progress, or the last known one when the loop is busy. Blocks for at most a
   * second.
   */
  public Progress progress() {
    progress = query(dispatcher::progress, progress);
    return progress;
  }

  /** Returns a graph's progress, or the last known one. Blocks for at most a second. */
  public Progress progress(String graph) {
    Progress now =
        query(
            () -> dispatcher.progress(graph),
            progressOf.getOrDefault(graph, new Progress(0, 0, 0, List.of(), 0, 0, 0, 0)));
    progressOf.put(graph, now);
    return now;
  }

  /** Returns a graph's progress by task, or the last known one. Blocks for at most a second. */
  public Progress.Details details(String graph) {
    Progress.Details now =
        query(
            () -> dispatcher.details(graph), detailsOf.getOrDefault(graph, Progress.Details.NONE));
    detailsOf.put(graph, now);
    return now;
  }

  /**
   * Makes the dispatcher forget an ended graph.
   *
   * @return completes exceptionally when workers still have attempts of it
   */
  public CompletableFuture<Void> forget(String graph) {
    progressOf.remove(graph);
    detailsOf.remove(graph);
    return CompletableFuture.runAsync(() -> dispatcher.forgetGraph(graph), loop);
  }

  /**
   * Returns the inputs of waiting tasks; empty when the loop is busy. Blocks for at most a second;
   * not to be called on the event loop.
   */
  public PendingInputs waiting(int most) {
    return query(
        () -> dispatcher.workerDemand().pendingInputs(most), new PendingInputs(List.of(), 0));
  }

  /** Evaluates a query on the event loop; returns the fallback when there is no answer in time. */
  private <T> T query(Callable<T> question, T fallback) {
    try {
      return loop.submit(question).get(QUERY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | TimeoutException | ExecutionException e) {
      LOG.debug("A query to the event loop has no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return fallback;
  }

  private void post(Supplier<Step> handler) {
    try {
      loop.execute(() -> handle(handler));
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored an event after the end of the session");
    }
  }

  private void handle(Supplier<Step> handler) {
    try {
      Step step = handler.get();
      journal.append(step.records());
      step.records().forEach(recorder::record);
      step.effects().forEach(this::carryOutContained);
    } catch (RuntimeException | Error e) {
      // Every error: without an outcome the session would never end.
      LOG.error("The dispatcher failed", e);
      outcome.completeExceptionally(e);
    }
  }

  private void carryOutContained(Effect effect) {
    try {
      act(effect);
    } catch (RuntimeException e) {
      if (!isContained(effect, e)) {
        throw e;
      }
    }
  }

  private boolean isContained(Effect effect, RuntimeException why) {
    boolean isContained = containsFailures && contain(effect, why);
    if (isContained) {
      LOG.error("An effect failed: {}", effect, why);
    }
    return isContained;
  }

  /** Fails the run or job of an effect; false when the effect belongs to none. Any thread. */
  private boolean contain(Effect effect, RuntimeException why) {
    if (effect instanceof Effect.Start start) {
      TaskReport report = TaskReport.refused(start.task(), start.attempt(), FAILED_HERE + why);
      post(() -> dispatcher.reported(start.worker(), report, clock.millis()));
      return true;
    }
    if (effect instanceof Effect.Answer || effect instanceof Effect.Discard) {
      // A missing answer times out. The end of a run removes its temporary files.
      return true;
    }
    String graph = "";
    if (effect instanceof Effect.DeleteFiles deletion) {
      graph = deletion.graph();
    } else if (effect instanceof Effect.Check check) {
      graph = check.graph();
    } else if (effect instanceof Effect.Expand expansion) {
      graph = expansion.graph();
    }
    if (graph.isEmpty()) {
      return false;
    }
    String failed = graph;
    RunFailure failure = RunFailure.ofRun(FAILED_HERE + why, "");
    post(() -> dispatcher.fail(failed, failure, clock.millis()));
    return true;
  }

  /** Runs the blocking part of an effect beside the event loop. */
  private void inBackground(Effect effect, Runnable work) {
    try {
      background.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              if (!isContained(effect, e)) {
                LOG.error("An effect failed: {}", effect, e);
                outcome.completeExceptionally(e);
              }
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored an effect after the end of the session");
    }
  }

  private void act(Effect effect) {
    WorkerMessage.of(effect, orders).ifPresent(this::send);
    if (effect instanceof Effect.Start start) {
      LOG.debug("Task {} attempt {} -> {}", start.task(), start.attempt(), start.worker());
      if (start.copy()) {
        LOG.info("Task {} is slow: speculative attempt on {}", start.task(), start.worker());
      }
    } else if (effect instanceof Effect.Answer answer) {
      inBackground(effect, () -> graphs.answer(answer));
    } else if (effect instanceof Effect.Discard discard) {
      List<String> paths = orders.temporaryPaths(discard);
      RunFiles files = graphs.files(ScopedId.graph(discard.task()));
      inBackground(effect, () -> files.remove(paths));
    } else if (effect instanceof Effect.DeleteFiles deletion) {
      graphs
          .files(deletion.graph())
          .deleteUnneeded(
              deletion.files(),
              this::written,
              files -> post(() -> dispatcher.deleted(files, clock.millis())));
    } else if (effect instanceof Effect.Check check) {
      // Looked up now: the run may have ended before the background task starts.
      RunFiles files = graphs.files(check.graph());
      inBackground(effect, () -> check(check, files));
    } else if (effect instanceof Effect.Expand expansion) {
      graphs.expand(expansion);
    } else if (effect instanceof Effect.Failed failed) {
      graphs.ended(failed.graph(), Optional.of(failed.failure()));
    } else if (effect instanceof Effect.Succeeded succeeded) {
      graphs.ended(succeeded.graph(), Optional.empty());
    }
  }

  /**
   * Sends a message. While the lease is not fresh, an order makes its attempt ask before it
   * commits.
   */
  private void send(WorkerMessage outgoing) {
    if (commitLease.isFresh()) {
      workers.send(outgoing.worker(), outgoing.message());
    } else if (outgoing.letsCommit()) {
      commitLease.whenFresh(() -> loop.execute(() -> send(outgoing)));
    } else {
      workers.send(outgoing.worker(), outgoing.withCommitQuestion().message());
    }
  }

  private void check(Effect.Check check, RunFiles files) {
    List<String> results = check.results();
    List<String> lost = results.isEmpty() ? List.of() : files.lost(results);
    if (!lost.isEmpty()) {
      LOG.warn("{} results are lost and recomputed, such as {}", lost.size(), lost.get(0));
    }
    post(() -> dispatcher.checked(check.graph(), lost, clock.millis()));
  }

  public void shutDownWorkers() {
    post(
        () -> {
          workers.sendAll(new Message.Shutdown());
          return Step.NOTHING;
        });
  }
}
