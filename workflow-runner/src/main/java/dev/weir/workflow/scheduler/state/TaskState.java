package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.PlacementReason.Candidate;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A task of a graph, with its state in the run. */
public final class TaskState {
  private static final PlacementReason COPIED =
      new PlacementReason(PlacementReason.Decision.SECOND_COPY, 0, 0, List.of());

  private static final int[] NO_GENERATIONS = {};

  /** The margin on learned memory is one part in this many. */
  private static final int MARGIN = 4;

  /** A task that makes its node unhealthy would otherwise run again without end. */
  private static final int MOST_EXCUSED = 10;

  private final WorkflowState graph;
  private final Task task;

  /** Unique in the session. */
  private final String id;

  private final List<FileState> inputs;
  private List<FileState> outputs;

  /** Whether it stands for a sub-workflow, so that no worker runs it. */
  private final boolean isSubWorkflow;

  private @Nullable TaskState enclosing;

  /** Whether the tasks of its sub-workflow are to be added, or were added. */
  private ExpansionStatus expansion = ExpansionStatus.NONE;

  /** Grows when tasks that need its outputs are added. */
  private double rank;

  /** Its resources: as declared, or more after the task was killed for memory. */
  private ResourceNeeds needs;

  /** How many cores each attempt counts for in the graph's share. */
  private int cores;

  /** How often it was killed for exceeding its memory. */
  private int memoryKills;

  /** Its run time in seconds, as declared or learned; 1 if neither is known. */
  private double seconds;

  /** Tasks that must run after this one without reading its files. */
  private List<TaskState> followers = List.of();

  private Status status = Status.WAITING;

  /** How many of its inputs are missing, plus how many tasks before it are not done. */
  private int missing;

  private boolean held;

  /**
   * It does not start before this time, in milliseconds since the epoch, because HDFS could not
   * move its files.
   */
  private long delayedUntil;

  /** Tasks with a higher priority go first. */
  private int priority;

  /**
   * Whether it was dropped because of its own failure or cancellation, not because of another task.
   */
  private boolean rootCause;

  private boolean failed;
  private double computeSeconds;

  private int attempts;
  private int failures;
  private int losses;

  /** How many losses of its worker cost it no try. */
  private int excusedLosses;

  private long readyNumber;

  private long readyMillis;
  private long dispatchedMillis;

  /** When it started on its worker, as far as the dispatcher knows. */
  private long begunMillis;

  private @Nullable WorkerState worker;

  /** Number of the attempt on that worker. */
  private int attempt;

  /** Whether that attempt may commit; no other attempt may then. */
  private boolean granted;

  /** A concurrent second attempt; null when there is none. */
  private @Nullable AttemptRef secondCopy;

  /** Whether it is ahead on its worker, that is, waits for a running task to end. */
  private boolean ahead;

  /**
   * Since when it has waited for a busy worker although another one could have started it, in
   * milliseconds since the epoch; {@link Long#MAX_VALUE} when it does not wait.
   */
  private long waitingSince = Long.MAX_VALUE;

  /** The idle worker for which it is being taken back; null when there is none. */
  private @Nullable WorkerState recalledFor;

  /** Its entries in the index by host of the queue that it is in. */
  private List<LocalTask> hostEntries = List.of();

  /** Why the attempt {@link #placedAttempt} got its worker. */
  private @Nullable PlacementReason placement;

  /** The estimated waits for busy workers, by host, of the last attempt to place it. */
  private Map<String, Long> waits = Map.of();

  private int placedAttempt;

  /** Number of the last second copy; 0 if there was none. */
  private int copiedAttempt;

  private int attemptsAllowed;

  /** Nodes where it failed; other nodes are preferred. */
  private Set<String> failedNodes = Set.of();

  /** The generation of each input when the last attempt was assigned. */
  private int[] inputGenerations = NO_GENERATIONS;

  public TaskState(
      WorkflowState graph,
      Task task,
      List<FileState> inputs,
      List<FileState> outputs,
      double rank) {
    this.graph = graph;
    this.task = task;
    this.id = ScopedId.of(graph.id(), task.id());
    this.inputs = inputs;
    this.outputs = outputs;
    this.rank = rank;
    this.isSubWorkflow = !graph.grows() && SubWorkflow.is(task.command());
    this.needs = ResourceNeeds.of(task.needs());
    this.cores = needs.cores();
    this.attemptsAllowed = task.needs().attempts();
    this.seconds = Ranks.seconds(task, TaskProfiles.NONE);
    if (isSubWorkflow && SubWorkflow.of(task.command()).orElseThrow().expanded()) {
      this.expansion = ExpansionStatus.ADDED;
    }
    this.missing = inputs.size() + task.after().size();
  }

  public enum Status {
    /** An input or a task before it is missing. */
    WAITING,
    /** It waits only for a worker. */
    READY,
    /** A worker has an attempt of it. */
    ASSIGNED,
    DONE,
    /** It failed permanently or was cancelled, or it needs an output of such a task. */
    DROPPED
  }

  /** How far a task that stands for a sub-workflow has got. */
  public enum ExpansionStatus {
    NONE,
    /** The tasks were requested. */
    REQUESTED,
    /** It waits for the tasks, and is done after them. */
    ADDED
  }

  public WorkflowState graph() {
    return graph;
  }

  public boolean isSubWorkflow() {
    return isSubWorkflow;
  }

  public ExpansionStatus expansion() {
    return expansion;
  }

  public void setExpansion(ExpansionStatus status) {
    expansion = status;
  }

  /** Other tasks make its outputs, and it is done after them. */
  public void handOver(List<TaskState> tasks) {
    outputs = List.of();
    missing += tasks.size();
    for (TaskState task : tasks) {
      task.addFollower(this);
      task.enclosing = this;
    }
  }

  /** Returns the task that stands for the sub-workflow to which it belongs; null if none does. */
  public @Nullable TaskState enclosing() {
    return enclosing;
  }

  public Task task() {
    return task;
  }

  public List<FileState> inputs() {
    return inputs;
  }

  public List<FileState> outputs() {
    return outputs;
  }

  public double rank() {
    return rank;
  }

  public ResourceNeeds needs() {
    return needs;
  }

  public int cores() {
    return cores;
  }

  public int memoryKills() {
    return memoryKills;
  }

  public double seconds() {
    return seconds;
  }

  /** How long the command of its last successful attempt ran; 0 before it. */
  public double computeSeconds() {
    return computeSeconds;
  }

  public void setComputeSeconds(double ran) {
    computeSeconds = ran;
  }

  List<TaskState> followers() {
    return followers;
  }

  public Status status() {
    return status;
  }

  public int missing() {
    return missing;
  }

  public boolean isHeld() {
    return held;
  }

  long delayedUntil() {
    return delayedUntil;
  }

  public int priority() {
    return priority;
  }

  public boolean isRootCause() {
    return rootCause;
  }

  public boolean isFailed() {
    return failed;
  }

  public int attempts() {
    return attempts;
  }

  public int failures() {
    return failures;
  }

  public int losses() {
    return losses;
  }

  long readyNumber() {
    return readyNumber;
  }

  public long readyMillis() {
    return readyMillis;
  }

  public long dispatchedMillis() {
    return dispatchedMillis;
  }

  long begunMillis() {
    return begunMillis;
  }

  public @Nullable WorkerState worker() {
    return worker;
  }

  int attempt() {
    return attempt;
  }

  public boolean isGranted() {
    return granted;
  }

  public @Nullable AttemptRef secondCopy() {
    return secondCopy;
  }

  public boolean isAhead() {
    return ahead;
  }

  public long waitingSince() {
    return waitingSince;
  }

  public @Nullable WorkerState recalledFor() {
    return recalledFor;
  }

  public List<LocalTask> hostEntries() {
    return hostEntries;
  }

  /**
   * Returns the failures of its command after which it fails permanently; 0 for the run's limit.
   */
  public int attemptsAllowed() {
    return attemptsAllowed;
  }

  /** Whether it is done or dropped. A lost file or a retry can still change that. */
  public boolean settled() {
    return status == Status.DONE || status == Status.DROPPED;
  }

  /** Whether it waits for a busy worker although another one could have started it. */
  public boolean hasWaitedForWorker() {
    return waitingSince < Long.MAX_VALUE;
  }

  public void startWait(long now) {
    waitingSince = now;
  }

  /**
   * Resets the wait for a busy worker, because the task has started or cannot start for another
   * reason.
   */
  void clearWait() {
    waitingSince = Long.MAX_VALUE;
  }

  /** Whether it is done and has no attempt in progress. */
  public boolean isFinished() {
    return status == Status.DONE && worker == null && secondCopy == null;
  }

  /** Tasks that cannot run without it. */
  public List<TaskState> dependents() {
    List<TaskState> dependents = new ArrayList<>(followers);
    for (FileState output : outputs) {
      dependents.addAll(output.readers());
    }
    return dependents;
  }

  public String id() {
    return id;
  }

  void addFollower(TaskState follower) {
    if (followers.isEmpty()) {
      followers = new ArrayList<>(1);
    }
    followers.add(follower);
  }

  void removeFollower(TaskState follower) {
    followers.remove(follower);
  }

  /** Counts an input that has become available, or a task before it that is done now. */
  void dependencyMet() {
    missing--;
  }

  /** Counts an input that is lost, or a task before it that is not done any more. */
  void dependencyLost() {
    missing++;
  }

  public void setHeld(boolean whether) {
    held = whether;
  }

  public void delayUntil(long millis) {
    delayedUntil = millis;
  }

  void setPriority(int value) {
    priority = value;
  }

  void limitAttempts(int most) {
    attemptsAllowed = most;
  }

  void raiseRank(double raised) {
    rank = raised;
  }

  void estimateSeconds(double estimate) {
    seconds = estimate;
  }

  void becomeReady(long now) {
    status = Status.READY;
    readyMillis = now;
  }

  /** Sets its place in the order of its graph, unless it has one. */
  void numberOnce(LongSupplier next) {
    if (readyNumber == 0) {
      readyNumber = next.getAsLong();
    }
  }

  /** Sets the time of becoming ready of an attempt that an earlier dispatcher has assigned. */
  public void correctReadyMillis(long millis) {
    readyMillis = millis;
  }

  void becomeWaiting() {
    status = Status.WAITING;
  }

  void complete() {
    if (status == Status.DROPPED) {
      rootCause = false;
    }
    status = Status.DONE;
    // There may be very many done tasks, so this saves memory.
    hostEntries = List.of();
  }

  void drop() {
    status = Status.DROPPED;
  }

  /** Undoes {@link #drop}. */
  void restore() {
    status = worker == null ? Status.WAITING : Status.ASSIGNED;
  }

  public void markCancelled() {
    rootCause = true;
  }

  public void markFailed() {
    rootCause = true;
    failed = true;
  }

  void indexUnder(List<LocalTask> entries) {
    hostEntries = entries;
  }

  boolean outputsAvailable() {
    for (FileState output : outputs) {
      if (!output.available()) {
        return false;
      }
    }
    return true;
  }

  /** Ids of the outputs that are not in HDFS. */
  public List<String> missingOutputs() {
    List<String> ids = new ArrayList<>(outputs.size());
    for (FileState output : outputs) {
      if (!output.available()) {
        ids.add(output.id());
      }
    }
    return ids;
  }

  /** Its files that are in the stores of nodes, or will be. */
  Effect.Stores stores() {
    Set<String> kept = new HashSet<>(0);
    for (FileState output : outputs) {
      if (!output.available() && output.staysOnNode()) {
        kept.add(output.id());
      }
    }
    Map<String, NodeContent> stored = new HashMap<>(0);
    for (FileState input : inputs) {
      if (input.isOnNode()) {
        stored.put(input.id(), input.content());
      }
    }
    return kept.isEmpty() && stored.isEmpty()
        ? Effect.Stores.NONE
        : new Effect.Stores(kept, stored);
  }

  /** The bytes of its inputs that are on a host, according to the index by host. */
  public long bytesOn(String host) {
    for (LocalTask place : hostEntries) {
      if (place.host().equals(host)) {
        return place.bytes();
      }
    }
    return 0;
  }

  /** Total size of its inputs, as far as it is known. */
  private long inputBytes() {
    long bytes = 0;
    for (FileState input : inputs) {
      bytes += bytesOf(input, task.regionsOf(input.name()));
    }
    return bytes;
  }

  /**
   * Records why the next attempt gets its worker. Called before the attempt begins, which removes
   * the task from the index by host.
   *
   * @param bytesPerSecond rate at which workers read from other nodes
   */
  public void decide(PlacementReason.Decision decision, long bytesPerSecond) {
    if (inputs.isEmpty() && decision == PlacementReason.Decision.FREE_WORKER) {
      return;
    }
    List<Candidate> candidates =
        hostEntries.stream()
            .sorted(Comparator.comparingLong(LocalTask::bytes).reversed())
            .limit(PlacementReason.MAX_CANDIDATES)
            .map(
                place ->
                    new Candidate(
                        place.host(), place.bytes(), waits.getOrDefault(place.host(), 0L)))
            .toList();
    waits = Map.of();
    placement = new PlacementReason(decision, inputBytes(), bytesPerSecond, candidates);
    placedAttempt = attempts + 1;
  }

  /** Forgets the estimated waits, because they are estimated anew. */
  public void forgetWaits() {
    waits = Map.of();
  }

  /** Notes how long it would wait for the busy worker of a host that is free first. */
  public void noteWait(String host, double seconds) {
    if (waits.isEmpty()) {
      waits = new HashMap<>();
    }
    waits.merge(host, Math.round(seconds * 1e3), Math::min);
  }

  /** Why an attempt got its worker; null if that is not known, or the task has no inputs. */
  public @Nullable PlacementReason placement(int number) {
    return number == copiedAttempt ? COPIED : number == placedAttempt ? placement : null;
  }

  /**
   * The bytes of its inputs that a host has neither in HDFS nor in its cache. The host may have
   * more than the {@linkplain #bytesOn index} says: a file on many hosts is listed for few of them.
   *
   * @param most counting stops above this, since a task may have thousands of inputs
   */
  public long missingOn(String host, CacheIndex caches, double most) {
    long missing = 0;
    for (FileState input : inputs) {
      if (missing > most) {
        break;
      }
      List<FileRegion> regions = task.regionsOf(input.name());
      long held = input.bytesOn(host, regions);
      if (regions.isEmpty()) {
        held = Math.max(held, caches.nodes(input.id()).getOrDefault(host, 0L));
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
    status = Status.ASSIGNED;
    dispatchedMillis = now;
    recordInputGenerations();
  }

  /** Makes the attempt just started the one that an earlier dispatcher has assigned. */
  void restoreAttempt(int number, int highest, long since) {
    attempt = number;
    attempts = highest;
    readyMillis = since;
  }

  /** Lets later attempts have higher numbers than this one. */
  public void countAttempt(int number) {
    attempts = Math.max(attempts, number);
  }

  void assignTo(WorkerState holder) {
    worker = holder;
  }

  void markAhead() {
    ahead = true;
  }

  void markRunning() {
    ahead = false;
    clearWait();
  }

  void markBegun(long now) {
    begunMillis = now;
  }

  public void grantCommit() {
    granted = true;
  }

  /** Starts a second copy on a worker. */
  void startSecondCopy(WorkerState copyWorker, long now) {
    secondCopy = new AttemptRef(copyWorker, ++attempts, now, now, false);
    copiedAttempt = attempts;
    recordInputGenerations();
  }

  /** Restores the second copy that an earlier dispatcher has assigned. */
  void restoreSecondCopy(AttemptRef copy) {
    countAttempt(copy.attempt());
    secondCopy = copy;
  }

  private void recordInputGenerations() {
    inputGenerations = new int[inputs.size()];
    for (int i = 0; i < inputGenerations.length; i++) {
      inputGenerations[i] = inputs.get(i).generation();
    }
  }

  /** Removes it from its worker. The generations of its inputs are kept until the next attempt. */
  void endAttempt() {
    worker = null;
    ahead = false;
    granted = false;
  }

  /** The attempt that a worker has; empty when it has none. */
  public Optional<AttemptRef> attemptOn(WorkerState holder) {
    if (worker == holder) {
      return Optional.of(new AttemptRef(holder, attempt, dispatchedMillis, begunMillis, false));
    }
    return Optional.ofNullable(secondCopy).filter(other -> other.worker() == holder);
  }

  /** Removes the attempt that a worker has, whichever of the two it is. */
  void removeFrom(WorkerState holder) {
    AttemptRef other = secondCopy;
    if (worker == holder) {
      clearRecall();
      endAttempt();
      if (other != null && !other.stopping()) {
        secondCopy = null;
        adoptAttempt(other);
      }
    } else if (other != null && other.worker() == holder) {
      secondCopy = null;
    }
  }

  private void adoptAttempt(AttemptRef other) {
    worker = other.worker();
    attempt = other.attempt();
    dispatchedMillis = other.dispatchedMillis();
    begunMillis = other.begunMillis();
  }

  /** Makes the second copy the main attempt; the other attempt is being stopped from now on. */
  void preferSecondCopy() {
    AttemptRef first = secondCopy;
    WorkerState holder = worker;
    if (first != null && holder != null) {
      secondCopy = new AttemptRef(holder, attempt, dispatchedMillis, begunMillis, true);
      adoptAttempt(first);
    }
  }

  /** Marks the second copy as being stopped; its worker has not yet reported its end. */
  void stopSecondCopy() {
    AttemptRef other = secondCopy;
    if (other != null) {
      secondCopy =
          new AttemptRef(
              other.worker(), other.attempt(), other.dispatchedMillis(), other.begunMillis(), true);
    }
  }

  /** Whether a worker has the attempt that is not the main one. */
  public boolean hasSecondCopyOn(WorkerState candidate) {
    AttemptRef other = secondCopy;
    return other != null && other.worker() == candidate;
  }

  /** Marks it as being taken back from its worker for another one. */
  void recallFor(WorkerState target) {
    recalledFor = target;
  }

  /** Ends the recall of the task. */
  public void clearRecall() {
    recalledFor = null;
  }

  public void countLoss() {
    losses++;
  }

  /** Takes a counted loss back. */
  public void excuseLoss() {
    losses = Math.max(0, losses - 1);
    countExcusedLoss();
  }

  /** Counts a loss that costs no try. */
  public void countExcusedLoss() {
    excusedLosses++;
  }

  /** Whether one more loss with its node costs no try. */
  public boolean hasExcuse() {
    return excusedLosses < MOST_EXCUSED;
  }

  public void countFailure(String node) {
    failures++;
    excludeNode(node);
  }

  /**
   * Raises its needs after it was killed for memory. The next attempt gets twice the memory, and
   * the share of cores that corresponds to it: its neighbours may declare no memory and still use
   * theirs. A task that had all memory of its worker needs a dedicated one then; one that has a
   * dedicated worker for other reasons has no neighbours. Only {@link WorkflowState} may call this,
   * because it sums up the needs.
   */
  void raiseNeeds(WorkerSize size) {
    memoryKills++;
    if (size.memoryBytes() == Long.MAX_VALUE) {
      return;
    }
    if (needs.needDedicatedWorker() && needs.memoryBytes() == 0) {
      // Its container had as much memory as those of the other workers.
      long all = size.memoryBytes();
      needs = needs.withMemory(Math.max(all, Math.min(2 * all, size.mostMemoryBytes(needs))));
      return;
    }
    long share = Math.max(1, size.memoryBytes() / size.cores());
    long had = Math.max(needs.memoryBytes(), share * Math.min(needs.cores(), size.cores()));
    long limit = size.mostMemoryBytes(needs);
    long most = had < size.memoryBytes() ? Math.min(limit, size.memoryBytes()) : limit;
    long wanted = had >= most / 2 ? most : 2 * had;
    long cores = Math.min(size.cores(), (wanted + share - 1) / share);
    needs =
        !needs.needDedicatedWorker()
            ? needs.atLeast(new ResourceNeeds((int) cores, wanted))
            : needs.withMemory(wanted);
  }

  /**
   * Applies the profile of its type to needs that are not declared: the cores that such tasks kept
   * busy, and their memory plus a quarter. The result is at most a worker's size, so that the task
   * always fits. A node with the devices of a task may have less: then the profile is ignored. To
   * be called before the needs are used.
   */
  void applyProfile(TaskProfiles.Profile profile, WorkerSize size) {
    if (task.needs().cores() == 0) {
      int cores = Math.min(size.cores(), profile.wholeCores());
      needs = ifPossible(needs.atLeast(new ResourceNeeds(cores, 0)), size);
    }
    if (needs.memoryBytes() == 0 && size.memoryBytes() < Long.MAX_VALUE) {
      long wanted = profile.peakMemoryBytes() + profile.peakMemoryBytes() / MARGIN;
      needs = ifPossible(needs.withMemory(Math.min(size.memoryBytes(), wanted)), size);
    }
    cores = needs.cores();
  }

  private ResourceNeeds ifPossible(ResourceNeeds wanted, WorkerSize size) {
    return wanted.resources().isEmpty() || size.refusal(wanted).isEmpty() ? wanted : needs;
  }

  /** Avoids a node because of a fault that is not the task's. */
  public void excludeNode(String node) {
    if (failedNodes.isEmpty()) {
      failedNodes = new HashSet<>();
    }
    failedNodes.add(node);
  }

  /** Resets failures and losses before a retry. */
  public void resetFailures() {
    rootCause = false;
    failed = false;
    failures = 0;
    losses = 0;
    excusedLosses = 0;
    failedNodes = Set.of();
  }

  public Set<String> failedNodes() {
    return failedNodes;
  }

  public Stream<FileState> input(String fileId) {
    return inputs.stream().filter(file -> file.id().equals(fileId));
  }

  /** Whether the last attempt was assigned with the file's current generation. */
  public boolean hadCurrentGeneration(FileState file) {
    int index = inputs.indexOf(file);
    return index >= 0
        && index < inputGenerations.length
        && inputGenerations[index] == file.generation();
  }
}
