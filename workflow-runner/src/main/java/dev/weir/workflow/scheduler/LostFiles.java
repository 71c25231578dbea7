package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Handles files that HDFS has lost, and makes them again. Not thread-safe. */
final class LostFiles {

  private final WorkflowState graph;
  private final SteeringHandler steering;

  LostFiles(WorkflowState graph, SteeringHandler steering) {
    this.graph = graph;
    this.steering = steering;
  }

  /** Handles files that were found to be lost. HDFS has copies of some of them. */
  void markLost(Collection<FileState> candidates) {
    if (graph.isOver()) {
      return;
    }
    List<FileState> found = new ArrayList<>();
    for (FileState file : candidates) {
      if (file.fallBackToCopy()) {
        graph.session().nodeFiles().changed(file);
      } else {
        found.add(file);
      }
    }
    Set<String> dead = new HashSet<>();
    // A node without workers may still have a live DataNode.
    found.stream().filter(file -> !file.isOnNode()).forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(graph.session().workers().lostNodes());
    Set<FileState> lost = new LinkedHashSet<>(found);
    List<FileState> toRemake = new ArrayList<>(found);
    found.forEach(file -> toRemake.addAll(graph.invalidate(file)));
    markOthersLost(dead, lost, toRemake);
    if (!lost.isEmpty()) {
      graph
          .session()
          .stepBuilder()
          .record(new DispatchRecord.FilesLost(lost.stream().map(FileState::id).toList()));
    }
    steering.dropOrphans(toRemake);
    graph.offerProducers(toRemake, graph.session().stepBuilder().now());
  }

  /**
   * Marks needed files that were only on dead hosts as lost, too. Finding out by reading each of
   * them would cost a timeout each.
   *
   * @param toRemake files that must be made again; lost files and the released files that they need
   *     are added
   */
  private void markOthersLost(Set<String> dead, Set<FileState> lost, List<FileState> toRemake) {
    List<FileState> suspects = dead.isEmpty() ? List.of() : madeAndOnlyOn(dead);
    boolean more = true;
    while (more) {
      more = false;
      for (FileState file : suspects) {
        if (file.available() && file.needed()) {
          lost.add(file);
          toRemake.add(file);
          toRemake.addAll(graph.invalidate(file));
          more = true;
        }
      }
    }
  }

  /** Files made by tasks that, as far as is known, only these hosts have. */
  private List<FileState> madeAndOnlyOn(Set<String> hosts) {
    return graph.files().stream()
        .filter(file -> file.producer() != null && file.onlyOn(hosts))
        .toList();
  }

  /** Replays the loss of files. */
  void replay(DispatchRecord.FilesLost lost) {
    List<FileState> files = lost.files().stream().flatMap(graph::known).toList();
    List<FileState> toRemake = new ArrayList<>(files);
    files.forEach(file -> toRemake.addAll(graph.invalidate(file)));
    steering.dropOrphans(toRemake);
  }
}
