package dev.weir.workflow.dispatch;

import dev.weir.workflow.dispatch.AheadPlanner.Cluster;
import dev.weir.workflow.dispatch.AheadPlanner.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has files copied to nodes before tasks that read them are ready, and knows what became of the
 * copies. Inputs of tasks that are ready come first: a copy waits while any come to its node, or
 * from the node that it comes from. Not thread-safe.
 */
final class AheadDesk implements Hands.Watcher {

  /** A node that had no room, or a copy that failed, is not tried again for so long. */
  private static final long REST_MILLIS = 30_000;

  private final Board board;
  private final Crew crew;
  private final Turn turn;
  private final Foresight foresight;
  private final Tally tally;
  private final Demands demands = new Demands();

  /** What is under way, by number. */
  private final Map<Long, Copy> copies = new LinkedHashMap<>();

  /** What has come and was not used yet. */
  private final Map<Place, Copy> unused = new LinkedHashMap<>();

  private final Map<String, Long> resting = new HashMap<>();
  private boolean enabled;
  private long numbers;
  private long bytes;
  private long usedBytes;

  AheadDesk(Scene scene, Paces paces, Tally tally) {
    this.board = scene.board();
    this.crew = scene.crew();
    this.turn = scene.turn();
    this.tally = tally;
    this.foresight = new Foresight(board, crew, paces);
  }

  private record Place(String node, String file) {}

  /** One copy, and whether it waits, or a task waits for it. */
  private static final class Copy {
    final long number;
    final WorkerInfo worker;
    final Order order;
    final int generation;
    boolean waits;
    boolean urgent;

    Copy(long number, WorkerInfo worker, Order order, int generation) {
      this.number = number;
      this.worker = worker;
      this.order = order;
      this.generation = generation;
    }

    Place place() {
      return new Place(worker.node(), order.file());
    }
  }

  /** Without this nothing is copied. */
  void enable(boolean whether) {
    enabled = whether && board.policy() == Policy.DATA_AWARE;
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
    resting.values().removeIf(until -> until <= turn.now());
    dropUnwanted();
    if (board.ready().isEmpty() && !board.paused()) {
      order();
    }
    pace();
  }

  private void order() {
    List<AheadPlanner.Upcoming> upcoming = foresight.upcoming(turn.now());
    if (upcoming.isEmpty()) {
      return;
    }
    Set<String> sending = demands.sending();
    Set<String> receiving = demands.receiving();
    for (Copy copy : copies.values()) {
      sending.add(copy.order.from());
      receiving.add(copy.worker.node());
    }
    Set<String> full = new HashSet<>();
    crew.nodes().stream().filter(resting::containsKey).forEach(full::add);
    Cluster cluster = new Cluster(foresight.places(turn.now()), sending, receiving, full, rate());
    for (Order order : AheadPlanner.plan(upcoming, cluster)) {
      WorkerState worker = crew.anyOn(order.to());
      if (worker != null && !resting.containsKey(order.to() + '\0' + order.file())) {
        Copy copy = new Copy(++numbers, worker.info, order, board.file(order.file()).generation());
        copies.put(copy.number, copy);
        turn.effect(new Effect.Copy(worker.info.id(), copy.number, order.file(), order.from()));
      }
    }
  }

  private double rate() {
    long measured = tally.bytesPerSecond();
    return measured > 0 ? measured : TaskGraph.BYTES_PER_SECOND;
  }

  @Override
  public List<String> given(TaskState task, WorkerInfo worker) {
    if (!enabled) {
      return List.of();
    }
    List<String> there = new ArrayList<>(0);
    Set<String> from = new HashSet<>();
    long missing = 0;
    for (FileState input : task.inputs) {
      Place place = new Place(worker.node(), input.id);
      Copy coming = coming(place);
      if (coming != null) {
        coming.urgent = true;
      }
      if (coming != null || unused.containsKey(place)) {
        there.add(input.id);
      } else if (!foresight.holders(input).contains(worker.node())) {
        missing += input.length();
        from.addAll(input.hosts());
      }
    }
    if (missing >= AheadPlanner.LEAST_BYTES) {
      demands.begin(worker, task.id(), from, missing / rate(), turn.now());
    }
    pace();
    return there;
  }

  private @Nullable Copy coming(Place place) {
    for (Copy copy : copies.values()) {
      if (copy.place().equals(place)) {
        return copy;
      }
    }
    return null;
  }

  @Override
  public void left(TaskState task, WorkerInfo worker) {
    if (enabled) {
      demands.end(worker.id(), task.id());
      pace();
    }
  }

  /** A task has read its inputs on a node. */
  void read(TaskState task, String node) {
    for (FileState input : unused.isEmpty() ? List.<FileState>of() : task.inputs) {
      Copy copy = unused.remove(new Place(node, input.id));
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
    copies.remove(number);
    bytes += copied;
    String node = copy.worker.node();
    if (copied == 0) {
      String what = hasRoom ? node + '\0' + copy.order.file() : node;
      resting.put(what, turn.now() + REST_MILLIS);
    } else {
      Order real = new Order(copy.order.file(), copied, copy.order.from(), node, copy.order.task());
      unused.put(copy.place(), new Copy(number, copy.worker, real, copy.generation));
    }
  }

  /** A worker is gone, with the copies that it was making. */
  void left(WorkerInfo worker) {
    demands.forget(worker.id());
    copies.values().removeIf(copy -> copy.worker.id().equals(worker.id()));
    if (crew.workersOn(worker.node()) == 0) {
      unused.keySet().removeIf(place -> place.node().equals(worker.node()));
    }
  }

  /** What nobody will read any more, or is not the file's content now. */
  private void dropUnwanted() {
    for (Copy copy : List.copyOf(unused.values())) {
      boolean wanted =
          board
              .known(copy.order.file())
              .anyMatch(
                  file ->
                      file.generation() == copy.generation
                          && file.readers.stream().anyMatch(reader -> !reader.settled()));
      if (!wanted) {
        unused.remove(copy.place());
        turn.effect(new Effect.Drop(copy.worker.id(), copy.order.file()));
      }
    }
  }

  /** Lets copies wait for inputs of tasks, or go on. */
  private void pace() {
    if (copies.isEmpty()) {
      return;
    }
    Set<String> sending = demands.sending();
    Set<String> receiving = demands.receiving();
    for (Copy copy : copies.values()) {
      boolean waits =
          !copy.urgent
              && (sending.contains(copy.order.from()) || receiving.contains(copy.worker.node()));
      if (waits != copy.waits) {
        copy.waits = waits;
        turn.effect(new Effect.Pace(copy.worker.id(), copy.number, waits));
      }
    }
  }
}
