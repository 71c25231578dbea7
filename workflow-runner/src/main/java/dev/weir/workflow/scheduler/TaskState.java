package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A task and what became of it so far. */
final class TaskState {

  private static final int[] NOTHING = {};

  /** The part of what was learned that is set aside beside it. */
  private static final int MARGIN = 4;

  final WorkflowState graph;
  final Task task;

  /** Unique in the session. */
  final String id;

  final List<FileState> inputs;
  final List<FileState> outputs;
  final double rank;

  /** What it needs: as declared, or more when that did not do. */
  ResourceNeeds needs;

  /** How many cores each attempt at it counts for in its graph's share. */
  int cores;

  /** How often it was killed for want of memory. */
  int starved;

  /** How long it computes, in seconds, as declared or learned; 1 where nothing is known. */
  double seconds;

  /** Tasks that come after this one without reading its files. */
  List<TaskState> followers = List.of();

  Status status = Status.WAITING;

  /** How many of its inputs, and of the tasks before it, are not there. */
  int missing;

  /** Whether it is not to be begun for now. */
  boolean held;

  /** It is not to be begun before, for HDFS would not move its files. */
  long restsUntil;

  /** Tasks with a higher one go first. */
  int priority;

  /** Whether it was dropped for its own sake, and not for that of another. */
  boolean root;

  /** Whether it failed for good. */
  boolean failed;

  int attempts;
  int failures;
  int losses;

  /** How many of its losses were of the shell that had started its command. */
  int commandsLost;

  long readyNumber;
  long readyMillis;
  long dispatchedMillis;

  /** When its worker had room for it, as far as is known here. */
  long begunMillis;

  /** Who has it; null when nobody does. */
  @Nullable WorkerState worker;

  /** Number of the attempt that its worker makes. */
  int attempt;

  /** Whether that attempt may commit; then no other may. */
  boolean granted;

  /** A second attempt at the same time; null when there is none. */
  @Nullable AttemptRef twin;

  /** Whether its worker has it ahead: something else has to end first. */
  boolean ahead;

  /**
   * Since when it has not begun because it waits for a busy worker, though another could have begun
   * it, in milliseconds since the epoch; {@link Long#MAX_VALUE} when it does not.
   */
  long waitsSince = Long.MAX_VALUE;

  /** Who wants it from the worker that has it ahead; null when nobody does. */
  @Nullable WorkerState awaitedBy;

  /** Where it is listed in the queue that it is in. */
  List<LocalTask> places = List.of();

  /** How often its command may fail, where that is less than the limits of the run. */
  int attemptsAllowed = Integer.MAX_VALUE;

  /** Nodes where it failed: others are better. */
  private Set<String> failedNodes = Set.of();

  /** Which version of each input the attempt was given. */
  private int[] given = NOTHING;

  TaskState(
      WorkflowState graph,
      Task task,
      List<FileState> inputs,
      List<FileState> outputs,
      double rank) {
    this.graph = graph;
    this.task = task;
    this.id = ScopedId.of(graph.id, task.id());
    this.inputs = inputs;
    this.outputs = outputs;
    this.rank = rank;
    this.needs = ResourceNeeds.of(task.needs());
    this.cores = needs.cores();
    this.seconds = TaskGraph.seconds(task, TaskProfiles.NONE);
    this.missing = inputs.size() + task.after().size();
  }

  enum Status {
    /** Something that it needs is missing. */
    WAITING,
    /** Only a worker is missing. */
    READY,
    /** A worker has it. */
    GIVEN,
    DONE,
    /** It failed for good, was cancelled, or needs what such a task would have made. */
    DROPPED
  }

  /** Whether nothing more will happen to it unless somebody wants it or a file is lost. */
  boolean settled() {
    return status == Status.DONE || status == Status.DROPPED;
  }

  /**
   * Whether it has not begun since it came to wait though a worker could have begun it, and nothing
   * else has kept it meanwhile.
   */
  boolean isKeptWaiting() {
    return waitsSince < Long.MAX_VALUE;
  }

  /** It has begun, or something else than a worker keeps it: what it has waited does not count. */
  void waitsForNoWorker() {
    waitsSince = Long.MAX_VALUE;
  }

  /** Whether it is done, and no attempt at it goes on. */
  boolean isAtRest() {
    return status == Status.DONE && worker == null && twin == null;
  }

  /** What cannot be done without it. */
  List<TaskState> dependents() {
    List<TaskState> dependents = new ArrayList<>(followers);
    for (FileState output : outputs) {
      dependents.addAll(output.readers);
    }
    return dependents;
  }

  String id() {
    return id;
  }

  void follow(TaskState follower) {
    if (followers.isEmpty()) {
      followers = new ArrayList<>(1);
    }
    followers.add(follower);
  }

  boolean outputsAvailable() {
    for (FileState output : outputs) {
      if (!output.available()) {
        return false;
      }
    }
    return true;
  }

  /** Ids of the outputs that HDFS does not hold. */
  List<String> missingOutputs() {
    List<String> ids = new ArrayList<>(outputs.size());
    for (FileState output : outputs) {
      if (!output.available()) {
        ids.add(output.id);
      }
    }
    return ids;
  }

  /** The bytes of its inputs that a host is listed with. */
  long bytesOn(String host) {
    for (LocalTask place : places) {
      if (place.host().equals(host)) {
        return place.bytes();
      }
    }
    return 0;
  }

  /**
   * The bytes of its inputs that a host has neither in HDFS nor in its cache. It may have more than
   * it is {@linkplain #bytesOn listed} with: what many hosts have is listed for few of them.
   *
   * @param most more than this is not counted any further: a task may have thousands of inputs
   */
  long missingOn(String host, CacheIndex caches, double most) {
    long missing = 0;
    for (FileState input : inputs) {
      if (missing > most) {
        break;
      }
      List<FileRegion> regions = task.regionsOf(input.name);
      long held = input.bytesOn(host, regions);
      if (regions.isEmpty()) {
        held = Math.max(held, caches.nodes(input.id).getOrDefault(host, 0L));
      }
      missing += Math.max(0, bytesOf(input, regions) - held);
    }
    return missing;
  }

  private static long bytesOf(FileState input, List<FileRegion> regions) {
    return regions.isEmpty()
        ? input.length()
        : regions.stream().mapToLong(FileRegion::length).sum();
  }

  void startAttempt(long now) {
    attempt = ++attempts;
    status = Status.GIVEN;
    dispatchedMillis = now;
    noteInputs();
  }

  /** A worker begins a second copy. */
  void startTwin(WorkerState copier, long now) {
    twin = new AttemptRef(copier, ++attempts, now, now, false);
    noteInputs();
  }

  private void noteInputs() {
    given = new int[inputs.size()];
    for (int i = 0; i < given.length; i++) {
      given[i] = inputs.get(i).generation();
    }
  }

  /** Nobody has it any more; what it was given is known until it is given again. */
  void endAttempt() {
    worker = null;
    ahead = false;
    granted = false;
  }

  /** The attempt of it that a worker has in hand, if it has one. */
  Optional<AttemptRef> heldBy(WorkerState holder) {
    if (worker == holder) {
      return Optional.of(new AttemptRef(holder, attempt, dispatchedMillis, begunMillis, false));
    }
    return Optional.ofNullable(twin).filter(other -> other.worker() == holder);
  }

  /** A worker does not have it any more, whichever attempt that was. */
  void leftBy(WorkerState holder) {
    AttemptRef other = twin;
    if (worker == holder) {
      awaitedNoLonger();
      endAttempt();
      if (other != null && !other.stopping()) {
        twin = null;
        become(other);
      }
    } else if (other != null && other.worker() == holder) {
      twin = null;
    }
  }

  private void become(AttemptRef other) {
    worker = other.worker();
    attempt = other.attempt();
    dispatchedMillis = other.dispatchedMillis();
    begunMillis = other.begunMillis();
  }

  /** The second copy was first: the other attempt is on its way out from now on. */
  void preferTwin() {
    AttemptRef first = twin;
    WorkerState holder = worker;
    if (first != null && holder != null) {
      twin = new AttemptRef(holder, attempt, dispatchedMillis, begunMillis, true);
      become(first);
    }
  }

  /** The second attempt is not wanted any more; its worker has yet to say that it has ended. */
  void stopTwin() {
    AttemptRef other = twin;
    if (other != null) {
      twin =
          new AttemptRef(
              other.worker(), other.attempt(), other.dispatchedMillis(), other.begunMillis(), true);
    }
  }

  /** Whether a worker makes, or has not yet ended, an attempt that is not the task's own one. */
  boolean hasTwinOn(WorkerState candidate) {
    AttemptRef other = twin;
    return other != null && other.worker() == candidate;
  }

  /** Who wanted it gets it, or it runs where it is. */
  void awaitedNoLonger() {
    WorkerState taker = awaitedBy;
    if (taker != null) {
      taker.awaited = null;
      awaitedBy = null;
    }
  }

  void failedOn(String node) {
    failures++;
    avoid(node);
  }

  /**
   * It was killed for want of memory: the next attempt gets twice as much as far as there is, and
   * the cores that this is the share of, for its neighbours may declare no memory and yet take
   * theirs. To be called by the board alone, which counts what is needed.
   */
  void starvedWith(WorkerSize size) {
    starved++;
    if (size.memoryBytes() == Long.MAX_VALUE) {
      return;
    }
    long share = Math.max(1, size.memoryBytes() / size.cores());
    long had = Math.max(needs.memoryBytes(), share * Math.min(needs.cores(), size.cores()));
    long wanted = had >= size.memoryBytes() / 2 ? size.memoryBytes() : 2 * had;
    long cores = Math.min(size.cores(), (wanted + share - 1) / share);
    needs = needs.atLeast(new ResourceNeeds((int) cores, wanted));
  }

  /**
   * Where no cores are declared it gets as many as others of its type kept busy, where no memory is
   * what they took and a quarter more; no more than a worker has, so that it always fits. To be
   * called before anything is made of its needs.
   */
  void learn(TaskProfiles.Habit habit, WorkerSize size) {
    if (task.needs().cores() == 0) {
      int cores = Math.min(size.cores(), habit.wholeCores());
      needs = needs.atLeast(new ResourceNeeds(cores, 0));
    }
    if (needs.memoryBytes() == 0 && size.memoryBytes() < Long.MAX_VALUE) {
      long wanted = habit.peakMemoryBytes() + habit.peakMemoryBytes() / MARGIN;
      needs = needs.withMemory(Math.min(size.memoryBytes(), wanted));
    }
    cores = needs.cores();
  }

  /** A node did not do for it, by no fault of its own: others are better. */
  void avoid(String node) {
    if (failedNodes.isEmpty()) {
      failedNodes = new HashSet<>();
    }
    failedNodes.add(node);
  }

  /** It is as good as one that was never tried. */
  void forgetFailures() {
    root = false;
    failed = false;
    failures = 0;
    losses = 0;
    commandsLost = 0;
    failedNodes = Set.of();
  }

  Set<String> failedNodes() {
    return failedNodes;
  }

  /** The input of an id, if it has one. */
  Stream<FileState> input(String fileId) {
    return inputs.stream().filter(file -> file.id.equals(fileId));
  }

  /** Whether the attempt was given the file as it is now. */
  boolean wasGivenCurrent(FileState file) {
    int index = inputs.indexOf(file);
    return index >= 0 && index < given.length && given[index] == file.generation();
  }
}
