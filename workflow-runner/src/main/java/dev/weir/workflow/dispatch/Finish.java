package dev.weir.workflow.dispatch;

import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.List;

/**
 * When a run ends, and how: it fails with the first task that fails for good unless it is to go on,
 * and succeeds when its results were seen to be there after the last task. Not thread-safe.
 */
final class Finish {

  private final Board board;
  private final Turn turn;
  private final Helm helm;
  private final Limits limits;
  private boolean checking;
  private boolean over;

  Finish(Scene scene, Helm helm, Limits limits) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.helm = helm;
    this.limits = limits;
  }

  /** Whether the run has ended. */
  boolean isOver() {
    return over;
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
            task.id(),
            task.failures + task.losses,
            task.task.command(),
            report.exitCode(),
            worker.node(),
            report.message(),
            report.stderrTail());
    if (goesOn()) {
      helm.giveUp(task, failure, Progress.Failed.of(worker.node(), report));
    } else {
      fail(failure);
    }
  }

  /** The run is not to go on. */
  void fail(RunFailure failure) {
    if (!over) {
      over = true;
      turn.effect(new Effect.Failed(failure));
    }
  }

  /** Has the results looked for when nothing is left to be done. */
  void check() {
    if (!over && board.settled() && !checking) {
      checking = true;
      turn.effect(new Effect.Check(results()));
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
    if (lost.isEmpty() && board.settled() && !over) {
      over = true;
      turn.effect(
          board.dropped() == 0 ? new Effect.Succeeded() : new Effect.Failed(helm.failure()));
    }
    for (FileState file : lost) {
      if (isLostTooOften(file)) {
        fail(
            RunFailure.ofRun(
                "the result " + file.id + " was lost " + (file.losses() + 1) + " times",
                "It was made, and HDFS had lost it each time when the run was about to end."));
      }
    }
  }

  /** Whether a file that is about to be taken for lost is not to be made once more. */
  boolean isLostTooOften(FileState file) {
    return file.losses() + 1 >= limits.losses();
  }
}
