package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The live workers, and which of them want something. Not thread-safe. */
final class WorkerSet {

  /**
   * A disk that is full may be cleared by whoever watches over it, or when other jobs end; what is
   * wrong with a node may be put right.
   */
  private static final long REST_MILLIS = 60_000;

  private final WorkerSize size;
  private final Map<String, WorkerState> workers = new LinkedHashMap<>();
  private final Map<String, Set<WorkerState>> perNode = new HashMap<>();
  private final Openings idle = new Openings();
  private final Openings roomy = new Openings();
  private final Set<WorkerState> changed = new LinkedHashSet<>();

  /** So many workers are to come in all, as far as is known. */
  private int expected;

  /** Nodes that had a worker and have none now: what only they held is suspect. */
  private final Set<String> lostNodes = new HashSet<>();

  /** Nodes that cannot do their work, and until when they are taken to be so. */
  private final Map<String, Long> resting = new HashMap<>();

  WorkerSet(WorkerSize size) {
    this.size = size;
  }

  /** Workers with a property, by node. */
  static final class Openings {

    private final Set<WorkerState> all = new LinkedHashSet<>();
    private final Map<String, Set<WorkerState>> byNode = new LinkedHashMap<>();

    private void set(WorkerState worker, boolean member) {
      String node = worker.info.node();
      if (member) {
        if (all.add(worker)) {
          byNode.computeIfAbsent(node, k -> new LinkedHashSet<>()).add(worker);
        }
      } else if (all.remove(worker)) {
        Set<WorkerState> there = byNode.getOrDefault(node, new LinkedHashSet<>());
        there.remove(worker);
        if (there.isEmpty()) {
          byNode.remove(node);
        }
      }
    }

    boolean isEmpty() {
      return all.isEmpty();
    }

    boolean contains(WorkerState worker) {
      return all.contains(worker);
    }

    Set<WorkerState> all() {
      return all;
    }

    Set<String> nodes() {
      return byNode.keySet();
    }

    Set<WorkerState> on(String node) {
      return byNode.getOrDefault(node, Set.of());
    }
  }

  void join(WorkerInfo info, long now) {
    if (!workers.containsKey(info.id())) {
      WorkerState worker = new WorkerState(info, size);
      worker.freeSince = now;
      workers.put(info.id(), worker);
      perNode.computeIfAbsent(info.node(), node -> new LinkedHashSet<>()).add(worker);
      changed(worker);
    }
  }

  @Nullable WorkerState leave(String id) {
    WorkerState worker = workers.remove(id);
    if (worker != null) {
      idle.set(worker, false);
      roomy.set(worker, false);
      changed.remove(worker);
      perNode.computeIfPresent(
          worker.info.node(),
          (node, there) -> {
            there.remove(worker);
            return there.isEmpty() ? null : there;
          });
    }
    return worker;
  }

  /** A node has no worker any more, for it was lost. */
  void suspect(String node) {
    lostNodes.add(node);
  }

  /** Nodes that had a worker and have none now. */
  Set<String> lostNodes() {
    return lostNodes;
  }

  /** A node has a worker, so that it is there. */
  void trust(String node) {
    lostNodes.remove(node);
  }

  /** So many workers are to come in all, those included that are there. */
  void expect(int number) {
    expected = number;
  }

  /** Whether a node may get its first worker yet. */
  boolean mayGetWorker(String node) {
    return workers.size() < expected && !perNode.containsKey(node);
  }

  /** The workers of a node. */
  Set<WorkerState> on(String node) {
    return perNode.getOrDefault(node, Set.of());
  }

  WorkerSize workerSize() {
    return size;
  }

  /**
   * Workers that have had nothing to do since then, those without work for the longest time first.
   */
  List<WorkerState> free(long since) {
    List<WorkerState> free = new ArrayList<>();
    for (WorkerState worker : workers.values()) {
      if (worker.isFree() && worker.freeSince <= since) {
        free.add(worker);
      }
    }
    free.sort(Comparator.comparingLong(worker -> worker.freeSince));
    return free;
  }

  @Nullable WorkerState get(String id) {
    return workers.get(id);
  }

  /** To be called whenever what a worker has in hand is another. */
  void changed(WorkerState worker) {
    if (workers.get(worker.info.id()) == worker) {
      idle.set(worker, worker.idle());
      roomy.set(worker, worker.roomy());
      changed.add(worker);
    }
  }

  /** Workers that have joined, or whose hand has changed, since the last call. */
  List<WorkerState> takeChanged() {
    List<WorkerState> taken = List.copyOf(changed);
    changed.clear();
    return taken;
  }

  Collection<WorkerState> all() {
    return Collections.unmodifiableCollection(workers.values());
  }

  int size() {
    return workers.size();
  }

  /** One of the workers of a node; null when there is none. */
  @Nullable WorkerState anyOn(String node) {
    Set<WorkerState> there = perNode.get(node);
    return there == null ? null : there.iterator().next();
  }

  int workersOn(String node) {
    return perNode.getOrDefault(node, Set.of()).size();
  }

  /** Workers on which a task might start at once. */
  Openings idle() {
    return idle;
  }

  /** Workers that take another task ahead. */
  Openings roomy() {
    return roomy;
  }

  /**
   * A task is kept from nodes where it failed, and all are from nodes that rest, as long as there
   * is another node.
   */
  boolean allows(TaskState task, String node) {
    Set<String> failed = task.failedNodes();
    if (!failed.contains(node) && !resting.containsKey(node)) {
      return true;
    }
    if (perNode.size() > failed.size() + resting.size()) {
      return false;
    }
    for (String other : perNode.keySet()) {
      if (!failed.contains(other) && !resting.containsKey(other)) {
        return false;
      }
    }
    return true;
  }

  /** A node cannot do its work: for some time it gets none that another can do. */
  void rest(String node, long now) {
    resting.put(node, now + REST_MILLIS);
  }

  /**
   * Ends the rest of those that have rested; their workers are looked at again. Nobody rests for
   * longer because an earlier ApplicationMaster had another time.
   */
  void wake(long now) {
    resting.replaceAll((node, until) -> Math.min(until, now + REST_MILLIS));
    if (!resting.isEmpty() && resting.values().removeIf(until -> until <= now)) {
      changed.addAll(workers.values());
    }
  }
}
