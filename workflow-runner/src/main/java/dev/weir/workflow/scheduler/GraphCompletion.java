package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded.Outcome;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when and how a graph ends. It fails with the first permanent failure of a task, unless it
 * keeps going. It succeeds when its results are in HDFS after the last task. Not thread-safe.
 */
final class GraphCompletion {

  /** How long a failed or cancelled graph waits until files of nodes are in HDFS. */
  static final long DRAIN_MILLIS = 60_000;

  private final WorkflowState graph;
  private final StepBuilder stepBuilder;
  private final SteeringHandler steering;
  private final Limits limits;
  private final IntermediateFileReleaser fileReleaser;
  private final WriteBackScheduler writeBack;
  private boolean checking;

  /** Until when the end waits for files of nodes, in milliseconds since the epoch. */
  private long drainUntil;

  /** The end that was not published yet, and that the journal may lack; null when there is none. */
  private @Nullable GraphEnded unpublished;

  /** Whether the journal has this end. */
  private boolean recorded;

  GraphCompletion(
      WorkflowState graph,
      SteeringHandler steering,
      Limits limits,
      IntermediateFileReleaser fileReleaser,
      WriteBackScheduler writeBack) {
    this.graph = graph;
    this.stepBuilder = graph.session().stepBuilder();
    this.steering = steering;
    this.limits = limits;
    this.fileReleaser = fileReleaser;
    this.writeBack = writeBack;
  }

  /** Whether the graph continues after a permanent failure of a task. */
  boolean keepsGoing() {
    return limits.keepGoing();
  }

  /** Handles the permanent failure of a task. */
  void failed(TaskState task, WorkerInfo worker, TaskReport report) {
    failed(
        task,
        new RunFailure(
            task.task().id(),
            // A kill for memory is both a loss and a failure.
            Math.min(task.failures() + task.losses(), task.attempts()),
            task.task().command(),
            report.exitCode(),
            worker.node(),
            report.message(),
            report.outputTail()),
        RunStatistics.failed(task, worker.node(), report));
  }

  /** Handles the permanent failure of a task that no worker runs. */
  void failed(TaskState task, String message) {
    String id = task.task().id();
    failed(
        task,
        new RunFailure(id, 1, task.task().command(), -1, "", message, ""),
        new Progress.Failed(id, 1, "", -1, message));
  }

  private void failed(TaskState task, RunFailure failure, Progress.Failed last) {
    if (task.settled()) {
      return;
    }
    if (keepsGoing()) {
      steering.giveUp(task, failure, last);
    } else {
      fail(failure);
    }
  }

  /** Ends the graph as failed or cancelled. */
  void fail(RunFailure failure) {
    if (!graph.isOver()) {
      end(failure.cancelled() ? Outcome.CANCELLED : Outcome.FAILED, failure);
    }
  }

  private void end(Outcome outcome, @Nullable RunFailure failure) {
    graph.end();
    unpublished = new GraphEnded(graph.id(), outcome, failure, stepBuilder.now());
    if (stepBuilder.isReplaying()) {
      return;
    }
    recordEnd();
    // Attempts that workers still have are useless.
    if (graph.assignedAttempts() > 0) {
      graph.all().stream()
          .filter(task -> !task.settled())
          .forEach(graph.session().assignments()::stop);
    }
    drainUntil = stepBuilder.now() + (failure == null ? 0 : DRAIN_MILLIS);
    publishDrained();
  }

  /**
   * Publishes the end of the graph when the files that the next run can use are in HDFS, or some
   * time has passed.
   */
  void publishDrained() {
    if (unpublished != null && (stepBuilder.now() >= drainUntil || !writeBack.hasUnsaved(graph))) {
      publishEnd();
    }
  }

  /** Records the end of one of several graphs. */
  private void recordEnd() {
    GraphEnded ended = unpublished;
    if (ended != null && !recorded && !graph.id().isEmpty()) {
      stepBuilder.record(ended);
      recorded = true;
    }
  }

  /** Publishes the end of the graph, if it has ended and is not published. */
  void publishEnd() {
    GraphEnded ended = unpublished;
    if (ended == null) {
      return;
    }
    recordEnd();
    unpublished = null;
    RunFailure failure = ended.failure();
    stepBuilder.effect(
        failure == null
            ? new Effect.Succeeded(graph.id())
            : new Effect.Failed(graph.id(), failure));
    fileReleaser.dropAll();
  }

  void replay() {
    graph.end();
    unpublished = null;
    fileReleaser.dropAll();
  }

  /** Requests a check of the results when all tasks are settled and HDFS has their files. */
  void check() {
    if (!graph.isOver() && graph.settled() && !checking && !writeBack.isDue(graph)) {
      checking = true;
      stepBuilder.effect(new Effect.Check(graph.id(), results()));
    }
  }

  /** Ids of the results that tasks make. */
  private List<String> results() {
    List<String> results = new ArrayList<>();
    for (FileState file : graph.files()) {
      TaskState producer = file.producer();
      if (producer != null && file.isResult() && producer.status() != TaskState.Status.DROPPED) {
        results.add(file.id());
      }
    }
    return results;
  }

  void checked(List<FileState> lost) {
    checking = false;
    if (lost.isEmpty() && graph.settled() && !graph.isOver()) {
      if (graph.dropped() == 0) {
        end(Outcome.SUCCEEDED, null);
      } else {
        fail(steering.failure());
      }
    }
    for (FileState file : lost) {
      if (isLostTooOften(file)) {
        fail(
            RunFailure.ofRun(
                "the result " + file.name() + " was lost " + (file.losses() + 1) + " times",
                "Tasks made it, and each time HDFS lost it before the end of the run."));
      }
    }
  }

  /** Whether a file that is about to be marked as lost must not be made again. */
  boolean isLostTooOften(FileState file) {
    return file.losses() + 1 >= limits.losses();
  }
}
