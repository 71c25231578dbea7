package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.CopyAheadPlanner.Order;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The copies that are under way: at most one from each node and one to each. Nothing here looks
 * through all of them but what says so. Not thread-safe.
 */
final class CopiesInProgress {

  private final Map<Long, Copy> byNumber = new LinkedHashMap<>();
  private final Map<String, Copy> byTarget = new HashMap<>();
  private final Map<String, Copy> bySource = new HashMap<>();

  /** One copy, and whether it waits, or a task waits for it. */
  static final class Copy {
    final long number;
    final WorkerInfo worker;
    final Order order;
    final int generation;
    boolean waits;
    boolean urgent;

    /** Since when it has gone on without waiting, in milliseconds since the epoch. */
    long goesSince;

    Copy(long number, WorkerInfo worker, Order order, int generation) {
      this.number = number;
      this.worker = worker;
      this.order = order;
      this.generation = generation;
    }

    NodeFile place() {
      return new NodeFile(worker.node(), order.file());
    }
  }

  void add(Copy copy) {
    byNumber.put(copy.number, copy);
    byTarget.put(copy.worker.node(), copy);
    bySource.put(copy.order.from(), copy);
  }

  void remove(Copy copy) {
    byNumber.remove(copy.number);
    byTarget.remove(copy.worker.node(), copy);
    bySource.remove(copy.order.from(), copy);
  }

  /** Forgets what a worker was making; looks through all. */
  void forget(WorkerInfo worker) {
    List.copyOf(byNumber.values()).stream()
        .filter(copy -> copy.worker.id().equals(worker.id()))
        .forEach(this::remove);
  }

  @Nullable Copy get(long number) {
    return byNumber.get(number);
  }

  /** What brings a file to a node; null when nothing does. */
  @Nullable Copy coming(NodeFile place) {
    Copy copy = byTarget.get(place.node());
    return copy != null && copy.order.file().equals(place.file()) ? copy : null;
  }

  /** What is being copied to a node; null when nothing is. */
  @Nullable Copy to(String node) {
    return byTarget.get(node);
  }

  /** All of them, in the order in which they began. */
  Collection<Copy> all() {
    return Collections.unmodifiableCollection(byNumber.values());
  }

  /** Those to or from any of these nodes. */
  Set<Copy> touching(Set<String> nodes) {
    Set<Copy> found = new LinkedHashSet<>();
    if (byNumber.isEmpty()) {
      return found;
    }
    for (String node : nodes) {
      Copy to = byTarget.get(node);
      if (to != null) {
        found.add(to);
      }
      Copy from = bySource.get(node);
      if (from != null) {
        found.add(from);
      }
    }
    return found;
  }

  /** Nodes from which one goes. */
  Set<String> sources() {
    return Collections.unmodifiableSet(bySource.keySet());
  }

  /** Nodes to which one goes. */
  Set<String> targets() {
    return Collections.unmodifiableSet(byTarget.keySet());
  }
}
