package dev.weir.workflow.scheduler;

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
 * Has files copied to nodes before tasks that read them are ready, and knows what became of the
 * copies. Inputs of tasks that are ready come first: a copy waits while any come to its node, or
 * from the node that it comes from. Not thread-safe.
 */
final class CopyAheadTracker implements Assignments.Watcher {

  /** When copies end it is planned anew no more often than this. */
  private static final long LEAST_MILLIS = 250;

  /** So many copies are looked at each time for whether anybody wants them. */
  private static final int MOST_LOOKED_AT = 256;

  /** A file with more readers is wanted: nobody asks all of them. */
  private static final int MOST_ASKED = 1_024;

  private static final double MILLIS_PER_SECOND = 1_000;

  private final SessionGraphs session;
  private final CacheIndex caches;
  private final WorkerSet crew;
  private final StepBuilder turn;
  private final UpcomingTasks foresight;
  private final ReadRate readRate;
  private final LinkDemand demands = new LinkDemand();

  private final FilesBeingRead readings = new FilesBeingRead();
  private final CopyAheadBackoff rests = new CopyAheadBackoff();
  private final CopiesInProgress copies = new CopiesInProgress();

  /** What has come and was not used yet. */
  private final Map<NodeFile, Copy> unused = new LinkedHashMap<>();

  private long plannedMillis;
  private boolean enabled;
  private long numbers;
  private long bytes;
  private long usedBytes;

  CopyAheadTracker(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet crew,
      StepBuilder turn,
      ReadRate readRate) {
    this.session = session;
    this.caches = caches;
    this.crew = crew;
    this.turn = turn;
    this.readRate = readRate;
    this.foresight = new UpcomingTasks(crew, caches);
  }

  /** Graphs have come or gone, or are treated in another way: see whether any copies ahead. */
  void graphsChanged() {
    enabled = session.all().stream().anyMatch(graph -> graph.copiesAhead);
  }

  /** A graph was forgotten a moment ago, and is not one of the session any more. */
  void forget(WorkflowState graph) {
    graph.files().forEach(file -> rests.forget(file.id));
    // Nobody can be told of them any more: they stay in the nodes' caches until these need room.
    unused.keySet().removeIf(place -> session.known(place.file()).findAny().isEmpty());
    graphsChanged();
  }

  /** Bytes that were copied ahead. */
  long bytes() {
    return bytes;
  }

  /** Those of them that tasks have read. */
  long usedBytes() {
    return usedBytes;
  }

  /** Time has passed: begins the copies that pay, and drops those that nobody wants. */
  void tick() {
    if (!enabled) {
      return;
    }
    demands.expire(turn.now());
    rests.expire(turn.now());
    dropUnwanted();
    order();
    copies.all().forEach(this::pace);
  }

  /** A copy is over: what else pays may begin at once, unless others have just ended, too. */
  void next() {
    if (enabled && turn.now() - plannedMillis >= LEAST_MILLIS) {
      order();
    }
  }

  private void order() {
    if (session.hasReady()) {
      return;
    }
    plannedMillis = turn.now();
    List<CopyAheadPlanner.Upcoming> upcoming = foresight.upcoming(turn.now());
    if (upcoming.isEmpty()) {
      return;
    }
    Set<String> sending = demands.sending();
    sending.addAll(copies.sources());
    Set<String> receiving = demands.receiving();
    receiving.addAll(copies.targets());
    Cluster cluster =
        new Cluster(
            foresight.places(turn.now()), sending, receiving, this::isBarred, readRate.rate());
    for (Order order : CopyAheadPlanner.plan(upcoming, cluster)) {
      WorkerState worker = crew.anyOn(order.to());
      if (worker != null) {
        Copy copy = new Copy(++numbers, worker.info, order, generation(order.file()));
        copy.goesSince = turn.now();
        copies.add(copy);
        turn.effect(new Effect.Copy(worker.info.id(), copy.number, order.file(), order.from()));
      }
    }
  }

  private int generation(String file) {
    return session.known(file).mapToInt(FileState::generation).findFirst().orElse(0);
  }

  /** A task that reads the file brings it itself, and would wait for a copy that waits. */
  private boolean isBarred(String node, String file) {
    return rests.rests(node, file) || readings.reads(node, file);
  }

  @Override
  public List<String> given(TaskState task, WorkerInfo worker) {
    if (!enabled) {
      return List.of();
    }
    readings.begin(task, worker.node());
    List<String> there = new ArrayList<>(0);
    Set<String> from = new HashSet<>();
    long missing = 0;
    for (FileState input : task.inputs) {
      NodeFile place = new NodeFile(worker.node(), input.id);
      Copy coming = copies.coming(place);
      if (coming != null) {
        coming.urgent = true;
        pace(coming);
      }
      if (coming != null || unused.containsKey(place)) {
        there.add(input.id);
      } else if (!foresight.holds(worker.node(), input)) {
        missing += input.length();
        from.addAll(input.hosts());
      }
    }
    if (missing >= CopyAheadPlanner.LEAST_BYTES) {
      demands.begin(worker, task.id(), from, missing / readRate.rate(), turn.now());
      from.add(worker.node());
      copies.touching(from).forEach(this::pace);
    }
    return there;
  }

  @Override
  public void left(TaskState task, WorkerInfo worker) {
    if (enabled) {
      readings.end(task, worker.node());
      copies.touching(demands.end(worker.id(), task.id())).forEach(this::pace);
    }
  }

  @Override
  public long coming(TaskState task, String node) {
    Copy copy = copies.to(node);
    if (copy == null || copy.waits) {
      return 0;
    }
    double moved = (turn.now() - copy.goesSince) / MILLIS_PER_SECOND * readRate.rate();
    return task.input(copy.order.file())
        .filter(file -> file.generation() == copy.generation)
        // Regions are read from HDFS alone.
        .filter(file -> task.task.regionsOf(file.name).isEmpty())
        .mapToLong(file -> Math.min(lackedBy(node, file), Math.round(moved)))
        .sum();
  }

  private long lackedBy(String node, FileState file) {
    long kept = caches.nodes(file.id).getOrDefault(node, 0L);
    return Math.max(0, file.length() - Math.max(kept, file.bytesOn(node, List.of())));
  }

  /** A task has read its inputs on a node. */
  void read(TaskState task, String node) {
    for (FileState input : unused.isEmpty() ? List.<FileState>of() : task.inputs) {
      Copy copy = unused.remove(new NodeFile(node, input.id));
      if (copy != null) {
        usedBytes += copy.order.bytes();
      }
    }
  }

  /**
   * A worker says that a copy is over.
   *
   * @param copied how many bytes its node keeps now; 0 when nothing came of it
   * @param hasRoom whether that was for another reason than want of room
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
      rests.failed(copy.place(), turn.now());
    } else if (copied == 0) {
      rests.noRoom(node, turn.now());
    } else if (session.known(copy.order.file()).findAny().isPresent()) {
      rests.succeeded(copy.order.file());
      Order real = new Order(copy.order.file(), copied, copy.order.from(), node, copy.order.task());
      unused.put(copy.place(), new Copy(number, copy.worker, real, copy.generation));
    }
  }

  /** A node keeps files, which it may have had before a copy: that came to nothing for no fault. */
  void kept(Collection<String> files) {
    files.forEach(rests::succeeded);
  }

  /** A worker is gone, with the copies that it was making. */
  void left(WorkerInfo worker) {
    demands.forget(worker.id());
    copies.forget(worker);
    if (crew.workersOn(worker.node()) == 0) {
      readings.forget(worker.node());
      unused.keySet().removeIf(place -> place.node().equals(worker.node()));
    }
  }

  /** What nobody will read any more, or is not the file's content now; some of all each time. */
  private void dropUnwanted() {
    List<Copy> some = unused.values().stream().limit(MOST_LOOKED_AT).toList();
    for (Copy copy : some) {
      unused.remove(copy.place());
      if (isWanted(copy)) {
        unused.put(copy.place(), copy);
      } else {
        turn.effect(new Effect.Drop(copy.worker.id(), copy.order.file()));
      }
    }
  }

  private boolean isWanted(Copy copy) {
    return session
        .known(copy.order.file())
        .anyMatch(
            file ->
                file.generation() == copy.generation
                    && (file.readers.size() > MOST_ASKED
                        || file.readers.stream()
                            .anyMatch(reader -> !reader.settled() && !reader.graph.over)));
  }

  /** Lets a copy wait for inputs of tasks, or go on. */
  private void pace(Copy copy) {
    boolean waits =
        !copy.urgent
            && (demands.isSending(copy.order.from()) || demands.isReceiving(copy.worker.node()));
    if (waits != copy.waits) {
      copy.waits = waits;
      copy.goesSince = turn.now();
      turn.effect(new Effect.Pace(copy.worker.id(), copy.number, waits));
    }
  }
}
