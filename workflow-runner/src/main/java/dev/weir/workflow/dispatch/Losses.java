package dev.weir.workflow.dispatch;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Files that HDFS has lost, and what is to be made again for that. Not thread-safe. */
final class Losses {

  private final Board board;
  private final Turn turn;
  private final Helm helm;

  /** Nodes that had a worker and have none now: what only they held is suspect. */
  private final Set<String> lostNodes = new HashSet<>();

  Losses(Scene scene, Helm helm) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.helm = helm;
  }

  /** A node has no worker any more. */
  void suspect(String node) {
    lostNodes.add(node);
  }

  /** A node has a worker, so that it is there. */
  void trust(String node) {
    lostNodes.remove(node);
  }

  /** Files were found to be lost. */
  void lose(Collection<FileState> found) {
    Set<String> dead = new HashSet<>();
    found.forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(lostNodes);
    Set<FileState> lost = board.lose(found, dead);
    if (!lost.isEmpty()) {
      turn.record(new DispatchRecord.FilesLost(lost.stream().map(file -> file.id).toList()));
    }
    helm.dropOrphans(lost);
    board.makeAgain(lost, turn.now());
  }

  /** Files were lost before this dispatcher began. */
  void replay(DispatchRecord.FilesLost lost) {
    List<FileState> files = lost.files().stream().flatMap(board::known).toList();
    files.forEach(board::invalidate);
    helm.dropOrphans(files);
  }
}
