package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.NodeFiles;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Schedules background copies of files from nodes to HDFS: all files that the run keeps, those of
 * nodes that YARN takes back or whose disks are full, those of single jobs whose worker is to be
 * released or whose job is to be forgotten, and others while the loss of all nodes' stores would
 * cost too much compute. Files that took the most compute per byte go first. Not thread-safe.
 */
final class WriteBackScheduler {

  /**
   * The part of a graph's compute that may be on nodes only. A tenth may be lost; the other half is
   * left for what ends while copies are written.
   */
  static final double MOST_AT_RISK = 0.05;

  /**
   * The part of this limit that may be computed before the files are searched again. The number of
   * searches thus grows with the logarithm of the run's compute.
   */
  private static final double SEARCHED_AFTER = 0.2;

  /**
   * Less compute than this, in seconds, is made again in about the time that a run takes to start.
   */
  static final double LEAST_AT_RISK = 30;

  /** Files that a node is told to copy at a time. */
  static final int AT_ONCE = 32;

  /**
   * Failed copies of one file after which a run that must keep the file fails when its tasks have
   * ended. A permanent refusal counts as all of them, and fails a run at once that does not keep
   * going.
   */
  static final int TRIES = 5;

  /** The first pause after a failure; each further one is twice as long, up to 32 times. */
  static final long PAUSE_MILLIS = 1_000;

  private static final int MAX_DOUBLINGS = 5;

  private final SessionGraphs session;
  private final NodeFiles nodeFiles;
  private final WorkerSet workers;
  private final StepBuilder stepBuilder;

  /** The worker that copies each file. */
  private final Map<FileState, String> writing = new LinkedHashMap<>();

  private final Map<FileState, Failures> failures = new HashMap<>();

  private final Map<WorkflowState, Exposure> exposures = new HashMap<>();

  /**
   * The files of a graph whose loss would cost too much.
   *
   * @param computeSeconds the graph's compute when they were searched
   */
  private record Exposure(double computeSeconds, Set<FileState> atRisk) {

    static final Exposure NONE = new Exposure(0, Set.of());
  }

  /** Files that their nodes hand over to HDFS. */
  private final Set<FileState> handedOver = new HashSet<>();

  /** Those that leave their nodes then, when no task reads them, because the disk is too full. */
  private final Set<FileState> leaving = new HashSet<>();

  private record Failures(int count, long pauseUntil) {

    static final Failures NONE = new Failures(0, 0);

    Failures more(long now, boolean refused) {
      return new Failures(
          refused ? Math.max(count + 1, TRIES) : count + 1,
          now + (PAUSE_MILLIS << Math.min(count, MAX_DOUBLINGS)));
    }
  }

  WriteBackScheduler(SessionGraphs session) {
    this.session = session;
    this.nodeFiles = session.state.nodeFiles();
    this.workers = session.state.workers();
    this.stepBuilder = session.state.stepBuilder();
  }

  /**
   * Sets what the loss of a task's outputs would cost: its own run time, and its part of what its
   * inputs would cost, which may be deleted by then.
   *
   * @param runSeconds how long its command ran
   */
  static void estimateRemakeCost(TaskState task, double runSeconds) {
    task.setComputeSeconds(runSeconds);
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

  /** Hands files of single jobs over to HDFS; those of runs are ignored. */
  void handOver(Collection<FileState> files) {
    files.stream().filter(file -> graph(file).grows()).forEach(handedOver::add);
  }

  /** Hands files over to HDFS, so that their node can lose its last worker. */
  void handOverAll(Collection<FileState> files) {
    handedOver.addAll(files);
  }

  /**
   * Makes room in the store of a node. Files that HDFS has leave it first, then those that HDFS
   * must get anyway, and last those that tasks are reading.
   *
   * @param bytes how many bytes are to leave it, with those of earlier calls that have not yet
   */
  void makeRoom(String node, long bytes) {
    List<FileState> files =
        nodeFiles.on(node).stream()
            .filter(this::canLeave)
            .collect(Collectors.groupingBy(this::retention, TreeMap::new, Collectors.toList()))
            .values()
            .stream()
            .flatMap(List::stream)
            .toList();
    long excess = bytes;
    for (int i = 0; i < files.size() && excess > 0; i++) {
      FileState file = files.get(i);
      GraphRun run = session.of(graph(file));
      excess -= file.length();
      if (file.copy() == null) {
        handedOver.add(file);
        leaving.add(file);
      } else if (run != null) {
        leaving.remove(file);
        run.fileReleaser.dropForCopy(file);
      }
    }
  }

  /** Whether HDFS has a file whose run is known, or may get it. */
  private boolean canLeave(FileState file) {
    return file.copy() == null
        ? graph(file).hasCurrent(file) && failures.getOrDefault(file, Failures.NONE).count() < TRIES
        : session.of(graph(file)) != null;
  }

  private int retention(FileState file) {
    if (leaving.contains(file) && file.copy() == null) {
      return 0;
    }
    if (isBeingRead(file)) {
      return 4;
    }
    if (file.copy() != null) {
      return 1;
    }
    return file.mustBeInHdfs() ? 2 : 3;
  }

  /** Whether a task that has a worker reads it, perhaps from its node. */
  private static boolean isBeingRead(FileState file) {
    return file.readers().stream()
        .anyMatch(task -> task.worker() != null || task.secondCopy() != null);
  }

  /** Drops a file that HDFS has from its node, unless a task is reading it. */
  private boolean dropUnlessRead(FileState file) {
    if (isBeingRead(file)) {
      return false;
    }
    GraphRun run = file.producer() == null ? null : session.of(graph(file));
    if (run != null) {
      run.fileReleaser.dropForCopy(file);
    }
    return true;
  }

  /** Orders further copies. To be called about once a second. */
  void order() {
    nodeFiles.graphs().forEach(this::findAtRisk);
    handedOver.removeIf(file -> !file.isOnlyOnNode());
    leaving.removeIf(
        file ->
            (file.copy() == null || file.isReleased())
                ? !handedOver.contains(file)
                : dropUnlessRead(file));
    for (String node : nodeFiles.nodes()) {
      order(node);
    }
  }

  /**
   * Finds the fewest files, most compute per byte first, without which the loss of all nodes'
   * stores would cost no more than the limit.
   */
  private void findAtRisk(WorkflowState graph) {
    double limit = Math.max(LEAST_AT_RISK, MOST_AT_RISK * graph.computeSeconds());
    double growth = graph.computeSeconds() - exposure(graph).computeSeconds();
    if (graph.computeSeconds() <= limit || growth < SEARCHED_AFTER * limit) {
      return;
    }
    List<FileState> exposed =
        nodeFiles.of(graph).stream()
            .filter(file -> file.isOnlyOnNode() && file.needed())
            .sorted(Comparator.comparingDouble(WriteBackScheduler::secondsPerByte))
            .toList();
    double most = (1 - SEARCHED_AFTER) * limit;
    Set<TaskState> again = new HashSet<>();
    double seconds = 0;
    int cheap = 0;
    while (cheap < exposed.size() && seconds <= most) {
      seconds += remakeSeconds(exposed.get(cheap), again);
      cheap += seconds <= most ? 1 : 0;
    }
    Set<FileState> atRisk = Set.copyOf(exposed.subList(cheap, exposed.size()));
    exposures.put(graph, new Exposure(graph.computeSeconds(), atRisk));
  }

  private Exposure exposure(WorkflowState graph) {
    return exposures.getOrDefault(graph, Exposure.NONE);
  }

  /**
   * The run time of the tasks that would run again if a file and all other stores were lost.
   *
   * @param again tasks that run again anyway and do not count; those that count are added
   */
  private static double remakeSeconds(FileState file, Set<TaskState> again) {
    double seconds = 0;
    Deque<FileState> lost = new ArrayDeque<>(List.of(file));
    while (!lost.isEmpty()) {
      TaskState producer = lost.remove().producer();
      if (producer != null && again.add(producer)) {
        seconds += producer.computeSeconds();
        for (FileState input : producer.inputs()) {
          if (input.isReleased() || (input.copy() == null && !input.isInHdfs())) {
            lost.add(input);
          }
        }
      }
    }
    return seconds;
  }

  /** How many further copies a worker gets: none until half of its copies have ended. */
  private int room(WorkerState worker) {
    int room = AT_ONCE - Collections.frequency(writing.values(), worker.info().id());
    return room < AT_ONCE / 2 ? 0 : room;
  }

  private void order(String node) {
    WorkerState worker = workers.anyOn(node);
    int room = worker == null ? 0 : room(worker);
    if (worker == null || room == 0) {
      return;
    }
    Queue<FileState> best =
        new PriorityQueue<>(Comparator.comparingDouble(WriteBackScheduler::secondsPerByte));
    for (FileState file : nodeFiles.on(node)) {
      if (isDue(file) && mayBeWritten(file)) {
        best.add(file);
        if (best.size() > room) {
          best.remove();
        }
      }
    }
    List<FileState> order = new ArrayList<>();
    while (!best.isEmpty()) {
      order.add(0, best.remove());
    }
    for (FileState file : order) {
      file.markBeingWritten(true);
      writing.put(file, worker.info().id());
      stepBuilder.effect(
          new Effect.WriteBack(worker.info().id(), file.id(), file.content(), isUrgent(file)));
    }
  }

  /** Whether the end of a graph, a worker or a job waits for it, or it may be lost soon. */
  private boolean isUrgent(FileState file) {
    return isAtRisk(file) || graph(file).settled() || handedOver.contains(file);
  }

  private boolean isDue(FileState file) {
    return file.mustBeInHdfs() || handedOver.contains(file) || (isAtRisk(file) && file.needed());
  }

  private boolean isAtRisk(FileState file) {
    WorkflowState graph = graph(file);
    return graph.isOver()
        || workers.isLeaving(file.hosts().iterator().next())
        || exposure(graph).atRisk().contains(file);
  }

  /** Returns whether a copy may be ordered now. The copy must not replace that of a later job. */
  private boolean mayBeWritten(FileState file) {
    return file.isOnlyOnNode()
        && !file.isBeingWritten()
        && graph(file).hasCurrent(file)
        && failures.getOrDefault(file, Failures.NONE).pauseUntil() <= stepBuilder.now();
  }

  /** Whether a copy is being written. */
  boolean isWriting() {
    return !writing.isEmpty();
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

  /** Whether a task of the graph makes it. */
  private static boolean isOf(FileState file, WorkflowState graph) {
    TaskState producer = file.producer();
    return producer != null && producer.graph() == graph;
  }

  /** Whether a graph must not end yet: HDFS lacks a file, or is getting one. */
  boolean isDue(WorkflowState graph) {
    return writing.keySet().stream().anyMatch(file -> isOf(file, graph))
        || nodeFiles.of(graph).stream()
            .anyMatch(file -> file.isOnlyOnNode() && file.mustBeInHdfs());
  }

  /** Whether the failure of a graph would lose files that the next run could use. */
  boolean hasUnsaved(WorkflowState graph) {
    return nodeFiles.of(graph).stream()
        .anyMatch(
            file ->
                file.isOnlyOnNode()
                    && file.needed()
                    && failures.getOrDefault(file, Failures.NONE).count() < TRIES
                    && workers.anyOn(file.hosts().iterator().next()) != null);
  }

  /**
   * Decides whether a copy gets its name in HDFS, where it may replace a newer version. A lost
   * worker gets no answer. The copy may have been ordered by an earlier ApplicationMaster.
   *
   * @param worker id of the worker that has written the copy
   * @param nodeMillis when the store of its node got the file, in milliseconds since the epoch
   */
  boolean permit(FileState file, String worker, long nodeMillis) {
    TaskState producer = file.producer();
    if (producer == null
        || workers.get(worker) == null
        || !file.isOnlyOnNode()
        || file.content().millis() != nodeMillis
        || !producer.graph().hasCurrent(file)
        || !writing.getOrDefault(file, worker).equals(worker)) {
      return false;
    }
    file.markBeingWritten(true);
    writing.put(file, worker);
    return true;
  }

  /**
   * Handles the end of an {@link Effect.WriteBack}. A worker repeats old ends to the next
   * ApplicationMaster, which may not know who made the file.
   *
   * @param end what it reports
   */
  void ended(FileState file, String worker, WriteBackEnd end) {
    stopWriting(entry -> entry.getKey().id().equals(file.id()) && entry.getValue().equals(worker));
    TaskState producer = file.producer();
    GraphRun run = producer == null ? null : session.of(producer.graph());
    NodeContent content = file.content();
    boolean isCurrent = content.millis() == end.nodeMillis() && !file.isReleased();
    StoredFile copy = end.copy();
    if (run == null) {
      return;
    }
    if (copy != null && isCurrent) {
      copied(file, copy, end.nodeMillis());
      run.fileReleaser.copied(file);
      if (leaving.contains(file) && (file.isReleased() || dropUnlessRead(file))) {
        leaving.remove(file);
      }
    } else if (copy != null) {
      arrivedLate(file, copy, run);
    } else if (isCurrent) {
      failed(file, run, end);
    }
    WorkerState writer = workers.get(worker);
    if (copy != null && writer != null) {
      order(writer.info().node());
    }
  }

  private void copied(FileState file, StoredFile copy, long nodeMillis) {
    failures.remove(file);
    file.copied(copy, stepBuilder.now());
    stepBuilder.record(new DispatchRecord.WrittenBack(copy, nodeMillis, stepBuilder.now()));
  }

  /**
   * Handles a copy of a file that was released, lost, made again or copied before. If HDFS has a
   * newer version, that has replaced the copy: it could get its name only before.
   */
  private void arrivedLate(FileState file, StoredFile copy, GraphRun run) {
    if (run.graph.isOver()) {
      // The next run can use it.
      return;
    }
    if (file.isInHdfsAs(copy)) {
      // It has replaced the file in HDFS.
      file.stored(copy, stepBuilder.now());
      return;
    }
    if (!file.isInHdfs() && file.copy() == null) {
      run.fileReleaser.deleteCopy(file, copy);
    }
  }

  private void failed(FileState file, GraphRun run, WriteBackEnd end) {
    file.markBeingWritten(false);
    if (end.gone()) {
      failures.remove(file);
      if (run.graphCompletion.isLostTooOften(file)) {
        fail(file, run, end.problem());
      }
      run.lostFiles.markLost(List.of(file));
      return;
    }
    Failures now =
        failures.getOrDefault(file, Failures.NONE).more(stepBuilder.now(), end.refused());
    failures.put(file, now);
    boolean failsNow =
        graph(file).settled() || (end.refused() && !run.graphCompletion.keepsGoing());
    if (now.count() >= TRIES && file.mustBeInHdfs() && failsNow) {
      fail(file, run, end.problem());
    }
  }

  private static void fail(FileState file, GraphRun run, String problem) {
    run.graphCompletion.fail(RunFailure.ofRun("cannot copy " + file.name() + " to HDFS", problem));
  }

  static void replay(DispatchRecord.WrittenBack written, WorkflowState graph) {
    graph
        .known(written.copy().name())
        .filter(file -> file.content().millis() == written.nodeMillis())
        .forEach(file -> file.copied(written.copy(), written.millis()));
  }

  /** Handles a worker that is lost or dismissed; another one of its node may copy its files. */
  void workerLeft(String worker) {
    stopWriting(entry -> entry.getValue().equals(worker));
  }

  private void stopWriting(Predicate<Map.Entry<FileState, String>> ended) {
    writing
        .entrySet()
        .removeIf(
            entry -> {
              boolean stops = ended.test(entry);
              if (stops) {
                entry.getKey().markBeingWritten(false);
              }
              return stops;
            });
  }

  void forget(WorkflowState graph) {
    Set<FileState> files = Set.copyOf(graph.files());
    writing.keySet().removeAll(files);
    failures.keySet().removeAll(files);
    handedOver.removeAll(files);
    leaving.removeAll(files);
    exposures.remove(graph);
  }
}
