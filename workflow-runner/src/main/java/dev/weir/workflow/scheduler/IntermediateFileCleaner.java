package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Has files of a graph deleted that nobody needs any more, while it goes on. Not thread-safe.
 *
 * <p>To the rest of the dispatcher such a file is there as before, and the task that made it is
 * done; only when a task that reads it has to be repeated, for a file of its own that is lost, it
 * is made again, after its deletion is over.
 */
final class IntermediateFileCleaner {

  private final WorkflowState board;
  private final StepBuilder turn;

  /** What was expendable when an attempt ended, to be looked at again. */
  private final Set<FileState> candidates = new LinkedHashSet<>();

  private boolean enabled;

  /** Nothing is deleted. */
  IntermediateFileCleaner(SchedulerContext scene) {
    this.board = scene.board();
    this.turn = scene.turn();
  }

  /**
   * Lets files be deleted when nobody needs them any more. To be called before anything else is
   * told to the dispatcher.
   *
   * @param temporaries ids of files that tasks make and tasks read; others are ignored
   */
  void allow(Collection<String> temporaries) {
    temporaries.stream().flatMap(board::named).forEach(file -> file.temporary = true);
    enabled = !temporaries.isEmpty();
  }

  /**
   * Has files looked for at the end of the run, as those are that no task reads, and made again if
   * they are lost. To be called before anything else is told to the dispatcher.
   *
   * @param wanted ids of files that tasks make and tasks read, and that are not temporary; others
   *     are ignored
   */
  void want(Collection<String> wanted) {
    wanted.stream().flatMap(board::named).forEach(file -> file.wanted = true);
  }

  /** An attempt at a task has ended, or its worker has it no more. */
  void ended(TaskState task) {
    if (enabled) {
      consider(task.inputs);
      consider(task.outputs);
    }
  }

  private void consider(Collection<FileState> files) {
    for (FileState file : files) {
      if (UnneededFiles.is(file)) {
        candidates.add(file);
      }
    }
  }

  /**
   * The run begins, or goes on after an earlier ApplicationMaster, of whose deletions nobody knows
   * how far they came.
   */
  void start() {
    if (!enabled) {
      return;
    }
    consider(board.files());
    delete(board.files().stream().filter(file -> file.isLetGo() && file.madeMillis() > 0).toList());
  }

  /** Time has passed. While results are looked for, what they are made of stays. */
  void tick() {
    if (!board.settled()) {
      sweep();
    }
  }

  /** Lets go what has been expendable for a moment. */
  void sweep() {
    List<FileState> spent = candidates.stream().filter(UnneededFiles::is).toList();
    candidates.clear();
    if (!spent.isEmpty()) {
      turn.record(new DispatchRecord.FilesLetGo(spent.stream().map(file -> file.id).toList()));
      delete(spent);
    }
  }

  private void delete(List<FileState> files) {
    List<Effect.Spent> spent = new ArrayList<>(files.size());
    for (FileState file : files) {
      spent.add(new Effect.Spent(file.id, file.length(), file.madeMillis(), file.fileId));
      file.letGo();
      file.going = true;
    }
    if (!spent.isEmpty()) {
      turn.effect(new Effect.LetGo(board.id, spent));
    }
  }

  /** Files were there before the run was. */
  void replay(DispatchRecord.FilesFound found) {
    found.files().stream().flatMap(board::known).forEach(file -> file.temporary = false);
  }

  /** Files were let go before this dispatcher began. */
  void replay(DispatchRecord.FilesLetGo gone) {
    gone.files().stream()
        .flatMap(board::known)
        .filter(FileState::available)
        .forEach(FileState::letGo);
  }
}
