package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Files that HDFS has lost, and what is to be made again for that. Not thread-safe. */
final class LostFiles {

  private final WorkflowState board;
  private final StepBuilder turn;
  private final WorkerSet crew;
  private final SteeringHandler helm;

  LostFiles(SchedulerContext scene, SteeringHandler helm) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.crew = scene.crew();
    this.helm = helm;
  }

  /** Files were found to be lost. */
  void lose(Collection<FileState> found) {
    Set<String> dead = new HashSet<>();
    found.forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(crew.lostNodes());
    Set<FileState> lost = new LinkedHashSet<>(found);
    List<FileState> again = new ArrayList<>(found);
    found.forEach(file -> again.addAll(board.invalidate(file)));
    loseWhatElseIsOn(dead, lost, again);
    if (!lost.isEmpty()) {
      turn.record(new DispatchRecord.FilesLost(lost.stream().map(file -> file.id).toList()));
    }
    helm.dropOrphans(again);
    board.makeAgain(again, turn.now());
  }

  /**
   * What was only on dead hosts and is still needed is taken for lost, too: finding that out read
   * by read would cost a time-out each.
   *
   * @param again what has to be made again: what is lost, and what was let go that this takes
   */
  private void loseWhatElseIsOn(Set<String> dead, Set<FileState> lost, List<FileState> again) {
    List<FileState> suspects = dead.isEmpty() ? List.of() : madeAndOnlyOn(dead);
    boolean more = true;
    while (more) {
      more = false;
      for (FileState file : suspects) {
        if (file.available() && file.needed()) {
          lost.add(file);
          again.add(file);
          again.addAll(board.invalidate(file));
          more = true;
        }
      }
    }
  }

  /** What tasks have made and only these hosts hold, as far as is known. */
  private List<FileState> madeAndOnlyOn(Set<String> hosts) {
    return board.files().stream()
        .filter(file -> file.producer != null && file.onlyOn(hosts))
        .toList();
  }

  /** Files were lost before this dispatcher began. */
  void replay(DispatchRecord.FilesLost lost) {
    List<FileState> files = lost.files().stream().flatMap(board::known).toList();
    List<FileState> gone = new ArrayList<>(files);
    files.forEach(file -> gone.addAll(board.invalidate(file)));
    helm.dropOrphans(gone);
  }
}
