package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.StoredFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has files of nodes copied to HDFS in the background. HDFS gets all that it must have at the end
 * of the run. It gets other files while the loss of all nodes' stores would cost too much compute.
 * The files that took the most compute per byte go first. Not thread-safe.
 */
final class WriteBack {

  /**
   * The part of a graph's compute that may be on nodes only. A tenth may be lost; the other half is
   * left for what ends while copies are written.
   */
  static final double MOST_AT_RISK = 0.05;

  /**
   * Less compute than this, in seconds, is made again in about the time that a run takes to start.
   */
  static final double LEAST_AT_RISK = 30;

  /** Files that a node is told to copy at a time, one after another. */
  static final int AT_ONCE = 16;

  /** A file that cannot be copied so many times fails a run that owes it to HDFS. */
  static final int TRIES = 3;

  private final NodeFiles nodeFiles;
  private final WorkerSet workers;
  private final StepBuilder stepBuilder;
  private final Function<WorkflowState, @Nullable GraphRun> runs;

  /** The worker that copies each file. */
  private final Map<FileState, String> writing = new LinkedHashMap<>();

  private final Map<FileState, Integer> failures = new HashMap<>();

  /** Seconds of compute of each graph that are to be copied. */
  private final Map<WorkflowState, Double> excess = new HashMap<>();

  /**
   * Creates the part.
   *
   * @param runs the parts of a graph; null for one that is forgotten
   */
  WriteBack(
      NodeFiles nodeFiles,
      WorkerSet workers,
      StepBuilder stepBuilder,
      Function<WorkflowState, @Nullable GraphRun> runs) {
    this.nodeFiles = nodeFiles;
    this.workers = workers;
    this.stepBuilder = stepBuilder;
    this.runs = runs;
  }

  /**
   * Sets what the loss of a task's outputs would cost: its own run time, and its part of what its
   * inputs would cost, which may be deleted by then.
   *
   * @param runSeconds how long its command ran
   */
  static void price(TaskState task, double runSeconds) {
    double seconds = runSeconds;
    for (FileState input : task.inputs()) {
      if (input.producer() != null && !isSafe(input)) {
        seconds += input.remakeSeconds() / Math.max(1, input.readers().size());
      }
    }
    for (FileState output : task.outputs()) {
      output.setRemakeSeconds(seconds / task.outputs().size());
    }
    task.graph().addCompute(runSeconds);
  }

  /** Whether HDFS has it and the run does not delete it. */
  private static boolean isSafe(FileState file) {
    return !file.isTemporary() && (file.copy() != null || (file.available() && !file.isOnNode()));
  }

  /** Orders further copies. To be called about once a second, and when a graph has settled. */
  void order() {
    excess.clear();
    for (FileState file : nodeFiles.all()) {
      if (file.isOnlyOnNode() && file.needed()) {
        excess.merge(graph(file), file.remakeSeconds(), Double::sum);
      }
    }
    excess.replaceAll(
        (graph, seconds) ->
            graph.isOver()
                ? Double.POSITIVE_INFINITY
                : seconds - Math.max(LEAST_AT_RISK, MOST_AT_RISK * graph.computeSeconds()));
    for (String node : nodeFiles.nodes()) {
      order(node);
    }
  }

  private void order(String node) {
    WorkerState worker = workers.anyOn(node);
    if (worker == null || writing.containsValue(worker.info().id())) {
      return;
    }
    List<FileState> open = new ArrayList<>();
    for (FileState file : nodeFiles.on(node)) {
      if (file.isOnlyOnNode()
          && !file.isBeingWritten()
          && (file.isOwedToHdfs() || isAtRisk(file))) {
        open.add(file);
      }
    }
    open.sort(Comparator.comparingDouble(WriteBack::secondsPerByte).reversed());
    int ordered = 0;
    for (FileState file : open) {
      if (ordered == AT_ONCE) {
        return;
      }
      if (file.isOwedToHdfs() || isAtRisk(file)) {
        excess.computeIfPresent(graph(file), (graph, rest) -> rest - file.remakeSeconds());
        file.markBeingWritten(true);
        writing.put(file, worker.info().id());
        stepBuilder.effect(new Effect.WriteBack(worker.info().id(), file.id(), file.content()));
        ordered++;
      }
    }
  }

  private boolean isAtRisk(FileState file) {
    return file.needed() && excess.getOrDefault(graph(file), 0.0) > 0;
  }

  private static double secondsPerByte(FileState file) {
    return file.remakeSeconds() / Math.max(1, file.length());
  }

  private static WorkflowState graph(FileState file) {
    TaskState producer = file.producer();
    if (producer == null) {
      throw new IllegalStateException("No task makes " + file.id());
    }
    return producer.graph();
  }

  /** Whether a graph must not end yet: HDFS lacks a file, or is getting one. */
  boolean isDue(WorkflowState graph) {
    return writing.keySet().stream().anyMatch(file -> graph(file) == graph)
        || nodeFiles.of(graph).stream()
            .anyMatch(file -> file.isOnlyOnNode() && file.isOwedToHdfs());
  }

  /** Whether the failure of a graph would lose files that the next run could use. */
  boolean hasUnsaved(WorkflowState graph) {
    return nodeFiles.of(graph).stream()
        .anyMatch(
            file ->
                file.isOnlyOnNode()
                    && file.needed()
                    && failures.getOrDefault(file, 0) < TRIES
                    && workers.anyOn(file.hosts().iterator().next()) != null);
  }

  /**
   * Handles the end of an {@link Effect.WriteBack}.
   *
   * @param file the file
   * @param worker id of the worker
   * @param end what it reports
   */
  void ended(FileState file, String worker, WriteBackEnd end) {
    writing.remove(file, worker);
    GraphRun run = runs.apply(graph(file));
    NodeContent content = file.content();
    boolean isCurrent = content.millis() == end.nodeMillis() && !file.isReleased();
    StoredFile copy = end.copy();
    if (run == null) {
      return;
    }
    if (copy != null && isCurrent) {
      copied(file, copy, end.nodeMillis());
      run.fileReleaser.copied(file);
    } else if (copy != null) {
      run.fileReleaser.deleteCopy(file, copy);
    } else if (isCurrent) {
      failed(file, run, end.problem());
    }
    WorkerState writer = workers.get(worker);
    if (copy != null && writer != null) {
      order(writer.info().node());
    }
  }

  private void copied(FileState file, StoredFile copy, long nodeMillis) {
    failures.remove(file);
    file.copied(copy);
    stepBuilder.record(new DispatchRecord.WrittenBack(copy, nodeMillis));
  }

  private void failed(FileState file, GraphRun run, String problem) {
    if (failures.merge(file, 1, Integer::sum) < TRIES) {
      file.markBeingWritten(false);
    } else if (file.isOwedToHdfs()) {
      run.graphCompletion.fail(
          RunFailure.ofRun("cannot copy " + file.name() + " to HDFS", problem));
    }
  }

  /** Replays a copy. */
  static void replay(DispatchRecord.WrittenBack written, WorkflowState graph) {
    graph
        .known(written.copy().name())
        .filter(file -> file.content().millis() == written.nodeMillis())
        .forEach(file -> file.copied(written.copy()));
  }

  /** Handles a worker that is lost or dismissed; another one of its node may copy its files. */
  void workerLeft(String worker) {
    writing
        .entrySet()
        .removeIf(
            entry -> {
              boolean wrote = entry.getValue().equals(worker);
              if (wrote) {
                entry.getKey().markBeingWritten(false);
              }
              return wrote;
            });
  }

  /** Forgets a graph. */
  void forget(WorkflowState graph) {
    Set<FileState> files = Set.copyOf(graph.files());
    writing.keySet().removeAll(files);
    failures.keySet().removeAll(files);
    excess.remove(graph);
  }
}
