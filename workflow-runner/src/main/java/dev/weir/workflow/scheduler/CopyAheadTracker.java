package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.scheduler.CopiesInProgress.Copy;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Cluster;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts copies ahead and tracks them. Inputs of ready tasks have precedence: a copy is paused
 * while such inputs are sent by its source node or received by its target node. Not thread-safe.
 */
final class CopyAheadTracker implements Assignments.InputListener {

  /** Minimum time between two plans when copies end. */
  private static final long LEAST_MILLIS = 250;

  /** How many unused copies are checked at each tick. */
  private static final int MOST_LOOKED_AT = 256;

  /** A file with more readers counts as needed without a look at all of them. */
  private static final int MOST_ASKED = 1_024;

  private static final double MILLIS_PER_SECOND = 1_000;

  private final SessionGraphs session;
  private final CacheIndex caches;
  private final WorkerSet workers;
  private final StepBuilder stepBuilder;
  private final UpcomingTasks upcomingTasks;
  private final ReadRate readRate;
  private final LinkDemand linkDemand = new LinkDemand();

  private final FilesBeingRead filesBeingRead = new FilesBeingRead();
  private final CopyAheadBackoff backoff = new CopyAheadBackoff();
  private final CopiesInProgress copies = new CopiesInProgress();

  /** Finished copies that no task has read yet. */
  private final Map<NodeFile, Copy> unused = new LinkedHashMap<>();

  private long plannedMillis;
  private boolean enabled;
  private long numbers;
  private long bytes;
  private long usedBytes;

  CopyAheadTracker(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet workers,
      StepBuilder stepBuilder,
      ReadRate readRate) {
    this.session = session;
    this.caches = caches;
    this.workers = workers;
    this.stepBuilder = stepBuilder;
    this.readRate = readRate;
    this.upcomingTasks = new UpcomingTasks(workers, caches);
  }

  /** Updates whether any graph copies ahead. */
  void graphsChanged() {
    enabled = session.all().stream().anyMatch(WorkflowState::copiesAhead);
  }

  /** Removes a graph that the session has just forgotten. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> backoff.forget(file.id()));
    // These files have no id any more, so they stay in the caches until the caches evict them.
    unused.keySet().removeIf(place -> session.known(place.file()).findAny().isEmpty());
    graphsChanged();
  }

  long bytes() {
    return bytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  /** Starts copies that pay, and drops copies that no task will read. */
  void tick() {
    if (!enabled) {
      return;
    }
    linkDemand.expire(stepBuilder.now());
    backoff.expire(stepBuilder.now());
    dropUnneeded();
    order();
    copies.all().forEach(this::pauseOrResume);
  }

  /** Plans again after the end of a copy, unless it did so a moment ago. */
  void next() {
    if (enabled && stepBuilder.now() - plannedMillis >= LEAST_MILLIS) {
      order();
    }
  }

  private void order() {
    if (session.hasReady()) {
      return;
    }
    plannedMillis = stepBuilder.now();
    List<CopyAheadPlanner.Upcoming> upcoming = upcomingTasks.upcoming(stepBuilder.now());
    if (upcoming.isEmpty()) {
      return;
    }
    Set<String> sending = linkDemand.sending();
    sending.addAll(copies.sources());
    Set<String> receiving = linkDemand.receiving();
    receiving.addAll(copies.targets());
    Cluster cluster =
        new Cluster(
            upcomingTasks.slots(stepBuilder.now()),
            sending,
            receiving,
            this::isBarred,
            readRate.rate());
    for (Order order : CopyAheadPlanner.plan(upcoming, cluster)) {
      WorkerState worker = workers.anyOn(order.to());
      if (worker != null) {
        Copy copy = new Copy(++numbers, worker.info(), order, generation(order.file()));
        copy.resumedMillis = stepBuilder.now();
        copies.add(copy);
        stepBuilder.effect(
            new Effect.Copy(
                worker.info().id(),
                copy.number,
                order.file(),
                order.from(),
                content(order.file())));
      }
    }
  }

  private NodeContent content(String file) {
    return session.known(file).map(FileState::content).findFirst().orElse(NodeContent.NONE);
  }

  private int generation(String file) {
    return session.known(file).mapToInt(FileState::generation).findFirst().orElse(0);
  }

  /** An assigned task that reads the file fetches it itself, and would wait for a paused copy. */
  private boolean isBarred(String node, String file) {
    return backoff.isBackedOff(node, file) || filesBeingRead.reads(node, file);
  }

  @Override
  public List<String> assigned(TaskState task, WorkerInfo worker) {
    if (!enabled) {
      return List.of();
    }
    filesBeingRead.begin(task, worker.node());
    List<String> there = new ArrayList<>(0);
    Set<String> from = new HashSet<>();
    long missing = 0;
    for (FileState input : task.inputs()) {
      NodeFile place = new NodeFile(worker.node(), input.id());
      Copy coming = copies.find(place);
      if (coming != null) {
        coming.urgent = true;
        pauseOrResume(coming);
      }
      if (coming != null || unused.containsKey(place)) {
        there.add(input.id());
      } else if (!upcomingTasks.holds(worker.node(), input)) {
        missing += input.length();
        from.addAll(input.hosts());
      }
    }
    if (missing >= CopyAheadPlanner.LEAST_BYTES) {
      linkDemand.begin(worker, task.id(), from, missing / readRate.rate(), stepBuilder.now());
      from.add(worker.node());
      copies.touching(from).forEach(this::pauseOrResume);
    }
    return there;
  }

  @Override
  public void unassigned(TaskState task, WorkerInfo worker) {
    if (enabled) {
      filesBeingRead.end(task, worker.node());
      copies.touching(linkDemand.end(worker.id(), task.id())).forEach(this::pauseOrResume);
    }
  }

  @Override
  public long incomingBytes(TaskState task, String node) {
    Copy copy = copies.to(node);
    if (copy == null || copy.waits) {
      return 0;
    }
    double moved = (stepBuilder.now() - copy.resumedMillis) / MILLIS_PER_SECOND * readRate.rate();
    return task.input(copy.order.file())
        .filter(file -> file.generation() == copy.generation)
        // Regions are read only from HDFS.
        .filter(file -> task.task().regionsOf(file.name()).isEmpty())
        .mapToLong(file -> Math.min(missingBytes(node, file), Math.round(moved)))
        .sum();
  }

  private long missingBytes(String node, FileState file) {
    long kept = caches.nodes(file.id()).getOrDefault(node, 0L);
    return Math.max(0, file.length() - Math.max(kept, file.bytesOn(node, List.of())));
  }

  /** Counts copies that a task has read. */
  void read(TaskState task, String node) {
    for (FileState input : unused.isEmpty() ? List.<FileState>of() : task.inputs()) {
      Copy copy = unused.remove(new NodeFile(node, input.id()));
      if (copy != null) {
        usedBytes += copy.order.bytes();
      }
    }
  }

  /**
   * Handles a worker's report of the end of a copy.
   *
   * @param copied how many bytes its node caches now; 0 when the copy failed
   * @param hasRoom false when it failed for lack of room
   */
  void over(String worker, long number, long copied, boolean hasRoom) {
    Copy copy = copies.get(number);
    if (copy == null || !copy.worker.id().equals(worker)) {
      return;
    }
    copies.remove(copy);
    bytes += copied;
    String node = copy.worker.node();
    if (copied == 0 && hasRoom) {
      backoff.failed(copy.place(), stepBuilder.now());
    } else if (copied == 0) {
      backoff.noRoom(node, stepBuilder.now());
    } else if (session.known(copy.order.file()).findAny().isPresent()) {
      backoff.succeeded(copy.order.file());
      Order real = new Order(copy.order.file(), copied, copy.order.from(), node, copy.order.task());
      unused.put(copy.place(), new Copy(number, copy.worker, real, copy.generation));
    }
  }

  /**
   * Notes files that a node caches. It may have cached them before a copy, which then failed
   * without a fault.
   */
  void kept(Collection<String> files) {
    files.forEach(backoff::succeeded);
  }

  /** Removes a lost worker and its copies. */
  void workerLeft(WorkerInfo worker) {
    linkDemand.forget(worker.id());
    copies.forget(worker);
    if (workers.workersOn(worker.node()) == 0) {
      filesBeingRead.forget(worker.node());
      unused.keySet().removeIf(place -> place.node().equals(worker.node()));
    }
  }

  /**
   * Drops copies that no task will read, or whose file has changed; checks some of all each time.
   */
  private void dropUnneeded() {
    List<Copy> some = unused.values().stream().limit(MOST_LOOKED_AT).toList();
    for (Copy copy : some) {
      unused.remove(copy.place());
      if (isNeeded(copy)) {
        unused.put(copy.place(), copy);
      } else {
        stepBuilder.effect(new Effect.Drop(copy.worker.id(), copy.order.file()));
      }
    }
  }

  private boolean isNeeded(Copy copy) {
    return session
        .known(copy.order.file())
        .anyMatch(
            file ->
                file.generation() == copy.generation
                    && (file.readers().size() > MOST_ASKED
                        || file.readers().stream()
                            .anyMatch(reader -> !reader.settled() && !reader.graph().isOver())));
  }

  /** Pauses a copy while inputs of tasks use its links, or resumes it. */
  private void pauseOrResume(Copy copy) {
    boolean waits =
        !copy.urgent
            && (linkDemand.isSending(copy.order.from())
                || linkDemand.isReceiving(copy.worker.node()));
    if (waits != copy.waits) {
      copy.waits = waits;
      copy.resumedMillis = stepBuilder.now();
      stepBuilder.effect(new Effect.Pace(copy.worker.id(), copy.number, waits));
    }
  }
}
