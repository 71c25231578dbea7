package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.DispatchRecord.GraphEnded.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a run ends, and how: it fails with the first task that fails for good unless it is to go on,
 * and succeeds when its results were seen to be there after the last task. Not thread-safe.
 */
final class CompletionPolicy {

  private final WorkflowState board;
  private final StepBuilder turn;
  private final Assignments hands;
  private final SteeringHandler helm;
  private final Limits limits;
  private boolean checking;

  /** How it has ended, where nobody was told and the journal may not say so; null for nothing. */
  private @Nullable GraphEnded unsaid;

  CompletionPolicy(SchedulerContext scene, SteeringHandler helm, Limits limits) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.hands = scene.hands();
    this.helm = helm;
    this.limits = limits;
  }

  /** Whether the run has ended. */
  boolean isOver() {
    return board.over;
  }

  /** Whether the run goes on without a task that has failed for good. */
  boolean goesOn() {
    return limits.keepGoing();
  }

  /** A task has failed for good with this report. */
  void failed(TaskState task, WorkerInfo worker, TaskReport report) {
    if (task.settled()) {
      return;
    }
    RunFailure failure =
        new RunFailure(
            task.task.id(),
            task.failures + task.losses,
            task.task.command(),
            report.exitCode(),
            worker.node(),
            report.message(),
            report.stderrTail());
    if (goesOn()) {
      helm.giveUp(task, failure, Progress.Failed.of(task, worker.node(), report));
    } else {
      fail(failure);
    }
  }

  /** The run is not to go on. */
  void fail(RunFailure failure) {
    if (!board.over) {
      end(failure.cancelled() ? Outcome.CANCELLED : Outcome.FAILED, failure);
    }
  }

  private void end(Outcome outcome, @Nullable RunFailure failure) {
    board.over = true;
    unsaid = new GraphEnded(board.id, outcome, failure, turn.now());
    if (!turn.isReplaying()) {
      tell();
    }
  }

  /** Tells how the graph has ended, if it has and the journal does not say so. */
  void tell() {
    GraphEnded ended = unsaid;
    if (ended == null) {
      return;
    }
    unsaid = null;
    RunFailure failure = ended.failure();
    turn.effect(
        failure == null ? new Effect.Succeeded(board.id) : new Effect.Failed(board.id, failure));
    if (board.isNamed()) {
      turn.record(ended);
    }
    // What workers still have of it is of no use.
    if (board.attemptsInHand > 0) {
      board.all().stream().filter(task -> !task.settled()).forEach(hands::stop);
    }
  }

  /** It ended before this dispatcher began. */
  void replay() {
    board.over = true;
    unsaid = null;
  }

  /** Has the results looked for when nothing is left to be done. */
  void check() {
    if (!board.over && board.settled() && !checking) {
      checking = true;
      turn.effect(new Effect.Check(board.id, results()));
    }
  }

  /** Ids of the files that the workflow is run for, and that a task makes. */
  private List<String> results() {
    List<String> results = new ArrayList<>();
    for (FileState file : board.files()) {
      TaskState maker = file.producer;
      if (maker != null && file.isResult() && maker.status != TaskState.Status.DROPPED) {
        results.add(file.id);
      }
    }
    return results;
  }

  /** The results were looked for, and these were not there. */
  void checked(List<FileState> lost) {
    checking = false;
    if (lost.isEmpty() && board.settled() && !board.over) {
      if (board.dropped() == 0) {
        end(Outcome.SUCCEEDED, null);
      } else {
        fail(helm.failure());
      }
    }
    for (FileState file : lost) {
      if (isLostTooOften(file)) {
        fail(
            RunFailure.ofRun(
                "the result " + file.name + " was lost " + (file.losses() + 1) + " times",
                "It was made, and HDFS had lost it each time when the run was about to end."));
      }
    }
  }

  /** Whether a file that is about to be taken for lost is not to be made once more. */
  boolean isLostTooOften(FileState file) {
    return file.losses() + 1 >= limits.losses();
  }
}
