package dev.weir.workflow.dispatch;

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
final class Demands {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** Looking files up takes some time, and a link may be slower than others were. */
  private static final double PATIENCE = 1.5;

  private static final long LEAST_MILLIS = 500;

  private final Map<Key, Demand> current = new HashMap<>();

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
    long millis = LEAST_MILLIS + Math.round(seconds * PATIENCE * MILLIS_PER_SECOND);
    current.put(
        new Key(worker.id(), task), new Demand(worker.node(), Set.copyOf(from), now + millis));
  }

  /** A worker has a task no longer; one for which nothing had to come is no error. */
  void end(String worker, String task) {
    current.remove(new Key(worker, task));
  }

  /** A worker is gone. */
  void forget(String worker) {
    current.keySet().removeIf(key -> key.worker().equals(worker));
  }

  /** Forgets what should have come by now. */
  void expire(long now) {
    for (Iterator<Demand> each = current.values().iterator(); each.hasNext(); ) {
      if (each.next().untilMillis() <= now) {
        each.remove();
      }
    }
  }

  /** Nodes that receive inputs. */
  Set<String> receiving() {
    Set<String> nodes = new HashSet<>();
    current.values().forEach(demand -> nodes.add(demand.node()));
    return nodes;
  }

  /** Nodes that may be sending some. */
  Set<String> sending() {
    Set<String> nodes = new HashSet<>();
    current.values().forEach(demand -> nodes.addAll(demand.from()));
    return nodes;
  }
}
