package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Over which links inputs of tasks come, as far as that can be told from who was given what: from
 * when a task was given to a worker whose node lacks some of its inputs until these should have
 * come, or the attempt is over. Not thread-safe.
 */
final class LinkDemand {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** Looking files up takes some time, and a link may be slower than others were. */
  private static final double PATIENCE = 1.5;

  private static final long LEAST_MILLIS = 500;

  private final Map<Key, Demand> current = new HashMap<>();

  /** For how many demands each node receives, or may be sending. */
  private final Map<String, Integer> receiving = new HashMap<>();

  private final Map<String, Integer> sending = new HashMap<>();

  private record Key(String worker, String task) {}

  private record Demand(String node, Set<String> from, long untilMillis) {}

  /**
   * A task was given to a worker.
   *
   * @param from hosts that something may come from
   * @param seconds how long that takes
   * @param now milliseconds since the epoch
   */
  void begin(WorkerInfo worker, String task, Set<String> from, double seconds, long now) {
    end(worker.id(), task);
    long millis = LEAST_MILLIS + Math.round(seconds * PATIENCE * MILLIS_PER_SECOND);
    Demand demand = new Demand(worker.node(), Set.copyOf(from), now + millis);
    current.put(new Key(worker.id(), task), demand);
    receiving.merge(demand.node(), 1, Integer::sum);
    demand.from().forEach(node -> sending.merge(node, 1, Integer::sum));
  }

  /**
   * A worker has a task no longer; one for which nothing had to come is no error.
   *
   * @return the nodes over whose links something had to come
   */
  Set<String> end(String worker, String task) {
    Demand demand = current.remove(new Key(worker, task));
    if (demand == null) {
      return Set.of();
    }
    ended(demand);
    Set<String> nodes = new HashSet<>(demand.from());
    nodes.add(demand.node());
    return nodes;
  }

  private void ended(Demand demand) {
    less(receiving, demand.node());
    demand.from().forEach(node -> less(sending, node));
  }

  private static void less(Map<String, Integer> counts, String node) {
    counts.computeIfPresent(node, (name, count) -> count == 1 ? null : count - 1);
  }

  /** A worker is gone. */
  void forget(String worker) {
    for (Iterator<Map.Entry<Key, Demand>> each = current.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Key, Demand> next = each.next();
      if (next.getKey().worker().equals(worker)) {
        each.remove();
        ended(next.getValue());
      }
    }
  }

  /** Forgets what should have come by now. */
  void expire(long now) {
    for (Iterator<Demand> each = current.values().iterator(); each.hasNext(); ) {
      Demand next = each.next();
      if (next.untilMillis() <= now) {
        each.remove();
        ended(next);
      }
    }
  }

  /** Nodes that receive inputs; another set for each call. */
  Set<String> receiving() {
    return new HashSet<>(receiving.keySet());
  }

  /** Nodes that may be sending some; another set for each call. */
  Set<String> sending() {
    return new HashSet<>(sending.keySet());
  }

  boolean isReceiving(String node) {
    return receiving.containsKey(node);
  }

  boolean isSending(String node) {
    return sending.containsKey(node);
  }
}
