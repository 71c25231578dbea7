package dev.weir.workflow.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Has files deleted that nobody needs any more, while the run goes on. A part of a {@link
 * Dispatcher}, for the same thread.
 *
 * <p>To the rest of the dispatcher such a file is there as before, and the task that made it is
 * done; only when a task that reads it has to be repeated, for a file of its own that is lost, it
 * is made again, after its deletion is over.
 */
public final class Tidying {

  private final Board board;
  private final Turn turn;
  private final Supplier<Step> step;

  /** What was expendable when an attempt ended, to be looked at again. */
  private final Set<FileState> candidates = new LinkedHashSet<>();

  private boolean enabled;

  /**
   * Nothing is deleted.
   *
   * @param step assigns what can be assigned after an event
   */
  Tidying(Scene scene, Supplier<Step> step) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.step = step;
  }

  /**
   * Lets files be deleted when nobody needs them any more. To be called before anything else is
   * told to the dispatcher.
   *
   * @param temporaries ids of files that tasks make and tasks read; others are ignored
   */
  public void allow(Collection<String> temporaries) {
    temporaries.stream().flatMap(board::known).forEach(file -> file.temporary = true);
    enabled = !temporaries.isEmpty();
  }

  /**
   * Has files looked for at the end of the run, as those are that no task reads, and made again if
   * they are lost. To be called before anything else is told to the dispatcher.
   *
   * @param wanted ids of files that tasks make and tasks read, and that are not temporary; others
   *     are ignored
   */
  public void want(Collection<String> wanted) {
    wanted.stream().flatMap(board::known).forEach(file -> file.wanted = true);
  }

  /**
   * An {@link Effect.LetGo} is over, whatever came of it. Files that were not deleted are not tried
   * again; should one be needed after all it is made anew.
   *
   * @param files ids of files
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step deleted(List<String> files, long time) {
    turn.begin(time);
    files.stream()
        .flatMap(board::known)
        .filter(file -> file.going)
        .forEach(file -> board.deleted(file, time));
    return step.get();
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
      if (Expendable.is(file)) {
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
    List<FileState> spent = candidates.stream().filter(Expendable::is).toList();
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
      turn.effect(new Effect.LetGo(spent));
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
