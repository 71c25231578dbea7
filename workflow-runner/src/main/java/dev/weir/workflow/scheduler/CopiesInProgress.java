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
 * The copies in progress: at most one from each node and one to each. Only methods that say so look
 * at all copies. Not thread-safe.
 */
final class CopiesInProgress {

  private final Map<Long, Copy> byNumber = new LinkedHashMap<>();
  private final Map<String, Copy> byTarget = new HashMap<>();
  private final Map<String, Copy> bySource = new HashMap<>();

  /** A copy: whether it is paused, and whether a task waits for it. */
  static final class Copy {
    final long number;
    final WorkerInfo worker;
    final Order order;
    final int generation;
    boolean waits;
    boolean urgent;

    /** Since when it has run without a pause, in milliseconds since the epoch. */
    long resumedMillis;

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

  /** Removes the copies of a worker; looks at all copies. */
  void forget(WorkerInfo worker) {
    List.copyOf(byNumber.values()).stream()
        .filter(copy -> copy.worker.id().equals(worker.id()))
        .forEach(this::remove);
  }

  @Nullable Copy get(long number) {
    return byNumber.get(number);
  }

  /** The copy of a file to a node; null when there is none. */
  @Nullable Copy find(NodeFile place) {
    Copy copy = byTarget.get(place.node());
    return copy != null && copy.order.file().equals(place.file()) ? copy : null;
  }

  /** The copy to a node; null when there is none. */
  @Nullable Copy to(String node) {
    return byTarget.get(node);
  }

  /** All copies, in the order in which they began. */
  Collection<Copy> all() {
    return Collections.unmodifiableCollection(byNumber.values());
  }

  /** The copies to or from any of these nodes. */
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

  /** Nodes that a copy reads from. */
  Set<String> sources() {
    return Collections.unmodifiableSet(bySource.keySet());
  }

  /** Nodes that a copy writes to. */
  Set<String> targets() {
    return Collections.unmodifiableSet(byTarget.keySet());
  }
}
