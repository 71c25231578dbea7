package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Estimates which links carry inputs of assigned tasks. A task uses the links from when it is
 * assigned to a worker whose node lacks inputs, until these should have arrived or the attempt
 * ends. Not thread-safe.
 */
final class LinkDemand {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** Margin for looking files up and for links that are slower than measured. */
  private static final double SLACK = 1.5;

  private static final long LEAST_MILLIS = 500;

  private final Map<Key, Demand> current = new HashMap<>();

  /** For each node, how many assigned tasks receive inputs there. */
  private final Map<String, Integer> receiving = new HashMap<>();

  private final Map<String, Integer> sending = new HashMap<>();

  private record Key(String worker, String task) {}

  private record Demand(String node, Set<String> from, long untilMillis) {}

  /**
   * Notes that a task with missing inputs was assigned to a worker.
   *
   * @param from hosts that may send the inputs
   * @param seconds how long that takes
   * @param now milliseconds since the epoch
   */
  void begin(WorkerInfo worker, String task, Set<String> from, double seconds, long now) {
    end(worker.id(), task);
    long millis = LEAST_MILLIS + Math.round(seconds * SLACK * MILLIS_PER_SECOND);
    Demand demand = new Demand(worker.node(), Set.copyOf(from), now + millis);
    current.put(new Key(worker.id(), task), demand);
    receiving.merge(demand.node(), 1, Integer::sum);
    demand.from().forEach(node -> sending.merge(node, 1, Integer::sum));
  }

  /**
   * Ends the demand of a task; one without demand is ignored.
   *
   * @return the nodes whose links it used
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
    decrement(receiving, demand.node());
    demand.from().forEach(node -> decrement(sending, node));
  }

  private static void decrement(Map<String, Integer> counts, String node) {
    counts.computeIfPresent(node, (name, count) -> count == 1 ? null : count - 1);
  }

  /** Removes the demands of a lost worker. */
  void forget(String worker) {
    for (Iterator<Map.Entry<Key, Demand>> each = current.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Key, Demand> next = each.next();
      if (next.getKey().worker().equals(worker)) {
        each.remove();
        ended(next.getValue());
      }
    }
  }

  /** Removes demands whose inputs should have arrived. */
  void expire(long now) {
    for (Iterator<Demand> each = current.values().iterator(); each.hasNext(); ) {
      Demand next = each.next();
      if (next.untilMillis() <= now) {
        each.remove();
        ended(next);
      }
    }
  }

  /** A new set of the nodes that receive inputs. */
  Set<String> receiving() {
    return new HashSet<>(receiving.keySet());
  }

  /** A new set of the nodes that may send inputs. */
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
