package dev.weir.workflow.scheduler;

import dev.weir.workflow.record.StoredFile;

/**
 * Takes over what an earlier dispatcher of the same graph recorded: each record goes to the part
 * that would have written it.
 */
final class Replay {

  private Replay() {}

  /** Takes over one record about a graph; the next one came after it. */
  static void replay(DispatchRecord record, GraphRun run) {
    WorkflowState board = run.board;
    if (record instanceof DispatchRecord.FilesLost lost) {
      run.losses.replay(lost);
    } else if (record instanceof DispatchRecord.FilesLetGo gone) {
      run.tidying.replay(gone);
    } else if (record instanceof DispatchRecord.FilesFound found) {
      run.tidying.replay(found);
    } else if (record instanceof DispatchRecord.Steered steered) {
      run.wishes.replay(steered);
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      board.takeOver(board.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      board.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      run.helm.cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      run.outcomes.replay(ended);
    } else if (record instanceof DispatchRecord.GraphEnded) {
      run.finish.replay();
    } else {
      throw new IllegalArgumentException("Not a record about a graph that is there: " + record);
    }
  }

  /**
   * Whether a record is about tasks that are known.
   *
   * @return false when it is about a task that was never added, or is added a second time
   */
  static boolean fits(DispatchRecord record, WorkflowState board) {
    if (record instanceof DispatchRecord.AttemptEnded ended) {
      return board.taskOrNull(ended.report().task()) != null;
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      return board.taskOrNull(givenUp.task()) != null;
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      return board.taskOrNull(added.addition().task().id()) == null;
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      return board.taskOrNull(taken.task()) != null;
    }
    return true;
  }

  /** The same record with the ids of a session. */
  static DispatchRecord scoped(DispatchRecord record, String graph) {
    if (record instanceof DispatchRecord.TakenOver taken) {
      return new DispatchRecord.TakenOver(
          ScopedId.of(graph, taken.task()),
          taken.run(),
          taken.firstTry(),
          taken.outputs().stream().map(file -> scoped(file, graph)).toList());
    } else if (record instanceof DispatchRecord.FilesFound found) {
      return new DispatchRecord.FilesFound(
          graph, found.files().stream().map(file -> ScopedId.of(graph, file)).toList());
    }
    throw new IllegalArgumentException("Not known of a graph before it comes: " + record);
  }

  private static StoredFile scoped(StoredFile file, String graph) {
    return new StoredFile(
        ScopedId.of(graph, file.name()),
        file.sizeBytes(),
        file.bytesByHost(),
        file.crc32c(),
        file.extents(),
        file.fileId());
  }
}
