package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import java.util.List;

/**
 * What the end of an attempt leads to: its task is done, is tried again or has failed for good, and
 * the inputs that it did not find are made again. Not thread-safe.
 */
final class AttemptCompletion {

  private final SchedulerContext scene;
  private final WorkflowState board;
  private final FailurePolicy judge;
  private final RunStatistics tally;
  private final CompletionPolicy finish;
  private final LostFiles losses;
  private final NodeBlacklist blame;

  AttemptCompletion(
      SchedulerContext scene,
      FailurePolicy judge,
      RunStatistics tally,
      CompletionPolicy finish,
      LostFiles losses,
      NodeBlacklist blame) {
    this.blame = blame;
    this.scene = scene;
    this.board = scene.board();
    this.judge = judge;
    this.tally = tally;
    this.finish = finish;
    this.losses = losses;
  }

  /** The worker of an attempt is gone. */
  void lost(TaskState task, AttemptRef held, String reason) {
    // What it had ahead counts, too: it may have begun without anybody knowing.
    List<String> outputs = task.missingOutputs();
    if (!outputs.isEmpty()) {
      scene.turn().effect(new Effect.Discard(task.id(), held.attempt(), outputs));
    }
    TaskReport report = TaskReport.workerLost(task.id(), held.attempt(), reason);
    WorkerInfo worker = held.worker().info;
    scene.hands().takeFrom(held.worker(), task);
    record(task, held, report);
    if (judge.isHopeless(task, report)) {
      finish.failed(task, worker, report);
    }
    retry(task);
  }

  /**
   * The worker of an attempt that is lost was killed for the memory of what ran in it.
   *
   * @param ran what that was
   * @param reason what was said of it
   */
  void starved(TaskState task, MemoryKillTracker.Ran ran, String reason) {
    ResourceNeeds had = task.needs;
    judge.starved(task, ran.worker().node(), ran.alone());
    TaskReport report = TaskReport.workerLost(task.id(), task.attempts, reason);
    boolean begunSince = task.dispatchedMillis >= ran.lostMillis() && !task.granted;
    if (judge.isHopeless(task, report)) {
      finish.failed(task, ran.worker(), report);
    } else if (ran.alone() && begunSince && !task.needs.equals(had)) {
      scene.hands().stop(task);
    }
  }

  /** The worker of an attempt has reported its end. */
  void reported(TaskState task, AttemptRef held, TaskReport report) {
    scene.hands().takeFrom(held.worker(), task);
    if (report.result() != TaskReport.Result.RECALLED) {
      ended(task, held, report);
    }
    retry(task);
  }

  private void ended(TaskState task, AttemptRef held, TaskReport report) {
    WorkerInfo worker = held.worker().info;
    record(task, held, report);
    long now = scene.turn().now();
    if (report.result() == TaskReport.Result.FAILED && blame.failed(task, worker.node())) {
      scene.crew().rest(worker.node(), now);
    }
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      board.markDone(task, report.outputs(), now);
      scene.hands().stopTwin(task);
      blame.succeeded(task, worker.node()).forEach(node -> scene.crew().rest(node, now));
    } else if (judge.isHopeless(task, report)) {
      finish.failed(task, worker, report);
    } else if (report.result() == TaskReport.Result.NODE_UNFIT) {
      scene.crew().rest(worker.node(), now);
    } else if (judge.isInputLoss(task, report)) {
      inputLost(task, worker, report);
    } else if (judge.isPassing(task, report)) {
      task.restsUntil = now + FailurePolicy.pauseMillis(task);
    }
  }

  /**
   * A worker has reported an attempt that it made for an earlier dispatcher, and does not have in
   * hand any more. What goes on at the task goes on, unless the task is done now.
   */
  void reportedLate(TaskState task, AttemptRef ended, TaskReport report) {
    if (task.settled() || report.result() == TaskReport.Result.RECALLED) {
      return;
    }
    if (task.worker == null) {
      board.putBack(task);
      task.readyMillis = ended.dispatchedMillis();
      ended(task, ended, report);
      retry(task);
    } else if (report.result() == TaskReport.Result.SUCCEEDED) {
      scene.hands().stop(task);
      ended(task, ended, report);
    } else {
      // What goes on was begun in spite of it.
      note(task, ended, report);
      tally.count(task, ended.worker().info, report, judge.isUnsuccessful(task, report));
    }
  }

  /** Unless another attempt goes on. */
  private void retry(TaskState task) {
    if (task.worker == null) {
      board.retry(task, scene.turn().now());
    }
  }

  private void record(TaskState task, AttemptRef held, TaskReport report) {
    note(task, held, report);
    count(task, held.worker().info, report);
  }

  private void note(TaskState task, AttemptRef held, TaskReport report) {
    WorkerInfo worker = held.worker().info;
    scene
        .turn()
        .record(
            new DispatchRecord.AttemptEnded(
                worker,
                task.readyMillis,
                held.dispatchedMillis(),
                scene.turn().now(),
                report,
                judge.isInputLoss(task, report)));
  }

  private void count(TaskState task, WorkerInfo worker, TaskReport report) {
    tally.count(task, worker, report, judge.isUnsuccessful(task, report));
    judge.count(task, worker.node(), report);
  }

  private void inputLost(TaskState task, WorkerInfo worker, TaskReport report) {
    List<FileState> found =
        report.lostInputs().stream()
            .flatMap(task::input)
            .filter(file -> file.available() && task.wasGivenCurrent(file))
            .toList();
    if (found.stream().anyMatch(finish::isLostTooOften)) {
      finish.failed(task, worker, report);
    }
    losses.lose(found);
  }

  /** An attempt ended before this dispatcher began. */
  void replay(DispatchRecord.AttemptEnded ended) {
    TaskReport report = ended.report();
    TaskState task = board.task(report.task());
    scene.turn().begin(ended.endedMillis());
    task.attempts = Math.max(task.attempts, report.attempt());
    scene.crew().suspect(ended.worker().node());
    if (ended.excused()) {
      tally.count(task, ended.worker(), report, false);
    } else {
      count(task, ended.worker(), report);
    }
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      board.markDone(task, report.outputs(), ended.endedMillis());
    } else if (report.result() == TaskReport.Result.NODE_UNFIT) {
      scene.crew().rest(ended.worker().node(), ended.endedMillis());
    }
    if (finish.goesOn() && judge.isHopeless(task, report)) {
      finish.failed(task, ended.worker(), report);
    }
  }
}
