package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Effect;
import dev.weir.workflow.dispatch.Progress;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.dispatch.Step;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.Connection;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskReport;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which everything happens to the dispatcher. Any thread may tell it what
 * happened; nobody waits for it.
 */
final class RunController {

  private static final Logger LOG = LoggerFactory.getLogger(RunController.class);

  private static final Step NOTHING = new Step(List.of(), List.of());

  private final Dispatcher dispatcher;
  private final Orders orders;
  private final Journal journal;
  private final RunRecorder recorder;
  private final Clock clock;
  private final ExecutorService loop;
  private final Map<String, Connection> connections = new HashMap<>();

  /** Workers that were taken for lost: one that connects after that is not taken in. */
  private final Set<String> gone = new HashSet<>();

  private final CompletableFuture<Optional<RunFailure>> outcome = new CompletableFuture<>();
  private volatile Progress progress;

  /** What a controller hands its decisions to. */
  record Outlets(Orders orders, Journal journal, RunRecorder recorder) {}

  /**
   * A controller.
   *
   * @param dispatcher after replay, not started
   * @param loop a single thread
   */
  RunController(Dispatcher dispatcher, Outlets outlets, Clock clock, ExecutorService loop) {
    this.dispatcher = dispatcher;
    this.orders = outlets.orders();
    this.journal = outlets.journal();
    this.recorder = outlets.recorder();
    this.clock = clock;
    this.loop = loop;
    this.progress = dispatcher.progress();
  }

  void start() {
    post(() -> dispatcher.start(clock.millis()));
  }

  void joined(WorkerInfo worker, Connection connection) {
    post(
        () -> {
          if (gone.contains(worker.id())) {
            LOG.info("Worker {} comes too late", worker.id());
            connection.close();
            return NOTHING;
          }
          LOG.info("Worker {} joined on {}", worker.id(), worker.node());
          connections.put(worker.id(), connection);
          recorder.workerJoined(worker, clock.millis());
          return dispatcher.workerJoined(worker, clock.millis());
        });
  }

  void reported(String worker, TaskReport report) {
    post(() -> dispatcher.reported(worker, report, clock.millis()));
  }

  void lost(String worker, String reason) {
    post(
        () -> {
          gone.add(worker);
          Connection connection = connections.remove(worker);
          if (connection != null) {
            LOG.info("Worker {} is lost: {}", worker, reason);
            connection.close();
            recorder.workerEnded(worker, clock.millis());
          }
          return dispatcher.workerLost(worker, reason, clock.millis());
        });
  }

  /** Ends the run for a reason that is no task's. */
  void abort(String reason) {
    outcome.completeExceptionally(new java.io.IOException(reason));
  }

  /** Completes with why the run failed, or with nothing when it succeeded. */
  CompletableFuture<Optional<RunFailure>> outcome() {
    return outcome;
  }

  Progress progress() {
    return progress;
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
      progress = dispatcher.progress();
    } catch (RuntimeException | Error e) {
      // Whatever it is: without an outcome the run would never end.
      LOG.error("The dispatcher failed", e);
      outcome.completeExceptionally(e);
    }
  }

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Start start) {
      Connection connection = connections.get(start.worker());
      if (connection != null) {
        LOG.info("Task {} attempt {} -> {}", start.task(), start.attempt(), start.worker());
        connection.send(new Message.Run(orders.order(start)));
      }
    } else if (effect instanceof Effect.Failed failed) {
      outcome.complete(Optional.of(failed.failure()));
    } else if (effect instanceof Effect.Succeeded) {
      outcome.complete(Optional.empty());
    }
  }

  /** Tells all workers to stop; they close their connections. */
  void shutDownWorkers() {
    post(
        () -> {
          connections.values().forEach(connection -> connection.send(new Message.Shutdown()));
          return NOTHING;
        });
  }
}
