package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.state.WorkflowState;

/**
 * Replays records of an earlier dispatcher of the same graph. Each record goes to the part that
 * writes such records.
 */
final class Replay {

  private Replay() {}

  /** Replays one record about a graph. Records are replayed in the order of the journal. */
  static void replay(DispatchRecord record, GraphRun run) {
    WorkflowState graph = run.graph;
    if (record instanceof DispatchRecord.FilesLost lost) {
      run.lostFiles.replay(lost);
    } else if (record instanceof DispatchRecord.FilesReleased gone) {
      run.fileReleaser.replay(gone);
    } else if (record instanceof DispatchRecord.FilesFound found) {
      run.fileReleaser.replay(found);
    } else if (record instanceof DispatchRecord.WrittenBack written) {
      WriteBackScheduler.replay(written, graph);
    } else if (record instanceof DispatchRecord.Steered steered) {
      run.steeringRequests.replay(steered);
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      graph.takeOver(graph.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      graph.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      run.steering.cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      run.completion.replay(ended);
    } else if (record instanceof DispatchRecord.MemoryExceeded exceeded) {
      run.completion.replay(exceeded);
    } else if (record instanceof DispatchRecord.LossExcused excused) {
      graph.task(excused.task()).excuseLoss();
    } else if (record instanceof DispatchRecord.GraphEnded) {
      run.graphCompletion.replay();
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
  static boolean fits(DispatchRecord record, WorkflowState graph) {
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
