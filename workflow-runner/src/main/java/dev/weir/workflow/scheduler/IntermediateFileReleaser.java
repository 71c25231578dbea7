package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.UnneededFiles;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which intermediate files no task needs any more while the graph is running, and releases
 * them: the release is journalled, and the run then deletes the files in HDFS. Not thread-safe.
 *
 * <p>Other parts of the dispatcher still see a deleted file as available, and its producer as done.
 * The file is made again only when a reader must run again because of a lost output, and only after
 * the deletion has ended.
 */
final class IntermediateFileReleaser {

  private final WorkflowState graph;
  private final StepBuilder stepBuilder;

  /** Files that were unneeded when an attempt ended; checked again before they are deleted. */
  private final Set<FileState> candidates = new LinkedHashSet<>();

  /** Unneeded files in HDFS from which files that only nodes have would be made again. */
  private final Set<FileState> protecting = new LinkedHashSet<>();

  IntermediateFileReleaser(WorkflowState graph) {
    this.graph = graph;
    this.stepBuilder = graph.session().stepBuilder();
  }

  /** Handles the end of an attempt at a task. */
  void ended(TaskState task) {
    consider(task.inputs());
    consider(task.outputs());
  }

  /** Drops those of some files that no task needs, and keeps in mind which may be deleted. */
  void consider(Collection<FileState> files) {
    for (FileState file : files) {
      if (isReplaced(file) && !file.hasOpenReader()) {
        drop(file);
      } else if (UnneededFiles.isUnneeded(file)) {
        (UnneededFiles.protectsOthers(file) ? protecting : candidates).add(file);
      } else if (!file.isTemporary() && file.copy() != null && !file.hasBusyReader()) {
        dropForCopy(file);
      }
    }
  }

  private boolean isReplaced(FileState file) {
    return file.isOnNode() && !file.isReleased() && !graph.hasCurrent(file);
  }

  /**
   * Handles the start of the graph. An earlier ApplicationMaster may have been deleting files:
   * those that are released but exist in HDFS are deleted again.
   */
  void start() {
    consider(graph.files());
    if (graph.grows()) {
      consider(List.copyOf(graph.session().nodeFiles().of(graph)));
    }
    delete(
        graph.files().stream()
            .filter(file -> file.isReleased() && file.madeMillis() > 0)
            .filter(file -> !file.isOnNode() || file.copy() != null)
            .toList());
  }

  /**
   * Handles the passing of time. While results are checked, intermediate files stay, since a lost
   * result is made from them.
   */
  void tick() {
    if (graph.grows()) {
      // The last reader may have been dropped or forgotten.
      consider(graph.session().nodeFiles().of(graph).stream().filter(this::isReplaced).toList());
    }
    if (!graph.settled()) {
      sweep();
    }
  }

  private void reconsiderProtecting() {
    List<FileState> files = List.copyOf(protecting);
    protecting.clear();
    consider(files);
  }

  /** Releases files that are still unneeded. */
  void sweep() {
    reconsiderProtecting();
    while (!candidates.isEmpty()) {
      releaseCandidates();
    }
  }

  /** The inputs of the tasks that made released files become candidates. */
  private void releaseCandidates() {
    List<FileState> unneeded = candidates.stream().filter(UnneededFiles::isUnneeded).toList();
    candidates.clear();
    if (!unneeded.isEmpty()) {
      stepBuilder.record(
          new DispatchRecord.FilesReleased(unneeded.stream().map(FileState::id).toList()));
      delete(unneeded);
      unneeded.forEach(this::considerInputs);
    }
  }

  private void delete(List<FileState> files) {
    List<Effect.UnneededFile> unneeded = new ArrayList<>(files.size());
    for (FileState file : files) {
      StoredFile copy = file.copy();
      boolean isOnNode = file.isOnNode();
      if (isOnNode) {
        drop(file);
      }
      if (copy != null || !isOnNode) {
        unneeded.add(copy == null ? unneeded(file) : unneeded(file, copy));
        file.startDeletion();
      }
    }
    if (!unneeded.isEmpty()) {
      stepBuilder.effect(new Effect.DeleteFiles(graph.id(), unneeded));
    }
  }

  private static Effect.UnneededFile unneeded(FileState file) {
    return new Effect.UnneededFile(file.id(), file.length(), file.madeMillis(), file.fileId());
  }

  private Effect.UnneededFile unneeded(FileState file, StoredFile copy) {
    return new Effect.UnneededFile(file.id(), copy.sizeBytes(), stepBuilder.now(), copy.fileId());
  }

  /** HDFS has got a copy of a file, so that other files may be unneeded now. */
  void copied(FileState file) {
    consider(List.of(file));
    considerInputs(file);
  }

  private void considerInputs(FileState file) {
    TaskState producer = file.producer();
    if (producer != null) {
      consider(producer.inputs());
    }
  }

  /** Deletes a copy of a file that was released, lost or made again meanwhile. */
  void deleteCopy(FileState file, StoredFile copy) {
    stepBuilder.effect(new Effect.DeleteFiles(graph.id(), List.of(unneeded(file, copy))));
  }

  /** Leaves a file to HDFS that its node need not or cannot serve any more. */
  void dropForCopy(FileState file) {
    NodeContent content = file.content();
    if (file.fallBackToCopy()) {
      graph.session().nodeFiles().changed(file);
      drop(file, content);
    }
  }

  /** Removes a file from the store of its node. */
  private void drop(FileState file) {
    NodeContent content = file.content();
    file.release();
    graph.session().nodeFiles().changed(file);
    drop(file, content);
  }

  private void drop(FileState file, NodeContent content) {
    for (String node : content.nodes()) {
      WorkerState worker = graph.session().workers().anyOn(node);
      if (worker != null) {
        stepBuilder.effect(new Effect.DropStored(worker.info().id(), file.id(), content));
      }
    }
  }

  /** Removes the files of an ended graph from the stores of nodes. */
  void dropAll() {
    List.copyOf(graph.session().nodeFiles().of(graph)).forEach(this::drop);
  }

  /** Replays which files existed before the run. */
  void replay(DispatchRecord.FilesFound found) {
    found.files().stream().flatMap(graph::known).forEach(FileState::keep);
  }

  void replay(DispatchRecord.FilesReleased gone) {
    gone.files().stream()
        .flatMap(graph::known)
        .filter(FileState::available)
        .forEach(
            file -> {
              file.release();
              graph.session().nodeFiles().changed(file);
            });
  }
}
