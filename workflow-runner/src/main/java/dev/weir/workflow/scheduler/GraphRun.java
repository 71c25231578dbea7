package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.dispatch.LookAheadRecall;
import dev.weir.workflow.scheduler.dispatch.StartTimes;
import dev.weir.workflow.scheduler.dispatch.TaskScheduler;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;

/** The parts of a dispatcher that work on one graph. Not thread-safe. */
final class GraphRun {

  /** The answer to requests about a run that has ended. */
  static final SteeringAnswer TOO_LATE = new SteeringAnswer(0, "too late: the run is ending");

  final WorkflowState graph;
  private final StepBuilder stepBuilder;
  final RunStatistics statistics;
  final SteeringHandler steering;
  final GraphCompletion graphCompletion;
  final LostFiles lostFiles;
  final AttemptCompletion completion;
  final IntermediateFileReleaser fileReleaser;
  final GraphGrowth growth;
  final TaskScheduler scheduler;
  final LookAheadRecall lookAheadRecall;

  /**
   * Whether scores decide which task goes first, so that tasks ahead may be taken back by score.
   */
  private final boolean recallsByScore;

  /**
   * Creates the parts for a graph of which no task is done.
   *
   * @param nodeBlacklist nodes with too many failures
   * @param writeBack copies files of nodes to HDFS
   */
  GraphRun(
      WorkflowState graph,
      Limits limits,
      NodeBlacklist nodeBlacklist,
      WriteBackScheduler writeBack) {
    this.graph = graph;
    this.stepBuilder = graph.session().stepBuilder();
    this.steering = new SteeringHandler(graph);
    this.fileReleaser = new IntermediateFileReleaser(graph);
    this.statistics = new RunStatistics(graph);
    this.lostFiles = new LostFiles(graph, steering);
    this.graphCompletion = new GraphCompletion(graph, steering, limits, fileReleaser, writeBack);
    this.completion =
        new AttemptCompletion(
            graph,
            new RetryPolicy(graph, limits),
            statistics,
            graphCompletion,
            lostFiles,
            nodeBlacklist);
    this.growth = new GraphGrowth(graph, steering, graphCompletion, lostFiles);
    StartTimes times = new StartTimes(graph);
    this.scheduler = new TaskScheduler(graph, times);
    this.lookAheadRecall = new LookAheadRecall(graph, times);
    this.recallsByScore = !graph.grows() && graph.session().policy() == AssignmentPolicy.DATA_AWARE;
  }

  /** Requests a check of the results when all tasks are settled. */
  void check() {
    if (!graph.grows()) {
      graphCompletion.check();
    }
  }

  /**
   * Takes tasks ahead back whose score for an idle worker is higher than that of all ready tasks.
   */
  void recallByScore() {
    if (recallsByScore) {
      lookAheadRecall.recallByScore(scheduler::bestScore);
    }
  }

  /** Handles the result of an {@code Effect.Check}. */
  void checked(List<FileState> lost) {
    // A failed or incomplete run keeps its intermediate files, so that the next run can reuse
    // them.
    if (lost.isEmpty() && !graph.isOver() && graph.dropped() == 0) {
      fileReleaser.sweep();
    }
    graphCompletion.checked(lost);
    lostFiles.markLost(lost);
  }

  /** Applies a request, unless it was applied before. */
  void steer(String id, Steering request) {
    SteeringAnswer answer;
    if (steering.wasApplied(id)) {
      answer = new SteeringAnswer(0, "already applied");
    } else if (graph.isOver()) {
      answer = TOO_LATE;
    } else {
      answer = apply(id, request);
      // Recorded also when no task matched: applied after a restart, it might undo later requests.
      stepBuilder.record(new DispatchRecord.Steered(graph.id(), id, request, stepBuilder.now()));
    }
    stepBuilder.effect(new Effect.Answer(graph.id(), id, answer));
  }

  private void replay(DispatchRecord.Steered steered) {
    stepBuilder.begin(steered.millis());
    apply(steered.id(), steered.wish());
  }

  private SteeringAnswer apply(String id, Steering request) {
    if (request.action() == Steering.Action.CANCEL && request.tasks().isEmpty()) {
      if (graph.grows()) {
        int cancelled = steering.cancelAll();
        return new SteeringAnswer(cancelled, SteeringHandler.answer(request.action(), cancelled));
      }
      graphCompletion.fail(RunFailure.cancelledRun());
      return new SteeringAnswer(graph.size() - graph.done(), "the run ends");
    }
    int tasks = steering.apply(id, request, stepBuilder.now());
    String text =
        tasks > 0 || request.tasks().isEmpty()
            ? SteeringHandler.answer(request.action(), tasks)
            : "nothing to do: no task to which this applies is named '" + request.tasks() + "'";
    return new SteeringAnswer(tasks, text);
  }

  /** Replays one record about a graph. Records are replayed in the order of the journal. */
  void replay(DispatchRecord record) {
    if (record instanceof DispatchRecord.FilesLost lost) {
      lostFiles.replay(lost);
    } else if (record instanceof DispatchRecord.FilesReleased gone) {
      fileReleaser.replay(gone);
    } else if (record instanceof DispatchRecord.FilesFound found) {
      fileReleaser.replay(found);
    } else if (record instanceof DispatchRecord.WrittenBack written) {
      WriteBackScheduler.replay(written, graph);
    } else if (record instanceof DispatchRecord.Steered steered) {
      replay(steered);
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      graph.takeOver(graph.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      graph.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      steering.cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      completion.replay(ended);
    } else if (record instanceof DispatchRecord.MemoryExceeded exceeded) {
      completion.replay(exceeded);
    } else if (record instanceof DispatchRecord.LossExcused excused) {
      graph.task(excused.task()).excuseLoss();
    } else if (record instanceof DispatchRecord.GraphEnded) {
      graphCompletion.replay();
    } else {
      throw new IllegalArgumentException(
          "Cannot replay as a record about a known graph: " + record);
    }
  }

  /**
   * Whether a record is about known tasks.
   *
   * @return false when its task was never added, or is added a second time
   */
  boolean fits(DispatchRecord record) {
    if (record instanceof DispatchRecord.TaskAdded added) {
      return graph.taskOrNull(added.addition().task().id()) == null;
    }
    String task = record.task();
    return task == null || graph.taskOrNull(task) != null;
  }

  /** Returns the record with the ids of the session. */
  static DispatchRecord.TakenOver scoped(DispatchRecord.TakenOver taken, String graph) {
    return new DispatchRecord.TakenOver(
        ScopedId.of(graph, taken.task()),
        taken.run(),
        taken.firstTry(),
        taken.outputs().stream().map(file -> file.named(ScopedId.of(graph, file.name()))).toList());
  }

  /** Returns the record with the ids of the session. */
  static DispatchRecord scoped(DispatchRecord record, String graph) {
    if (record instanceof DispatchRecord.TakenOver taken) {
      return scoped(taken, graph);
    } else if (record instanceof DispatchRecord.FilesFound found) {
      return new DispatchRecord.FilesFound(
          graph, found.files().stream().map(file -> ScopedId.of(graph, file)).toList());
    }
    throw new IllegalArgumentException("Cannot precede the start of a graph: " + record);
  }
}
