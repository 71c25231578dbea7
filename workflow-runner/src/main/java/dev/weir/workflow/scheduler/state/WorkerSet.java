package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
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

/** The live workers, indexed by node and by free room. Not thread-safe. */
public final class WorkerSet {

  /**
   * A full disk may be cleared by an administrator or by the end of other jobs, and a faulty node
   * repaired.
   */
  private static final long BLACKLIST_MILLIS = 60_000;

  private final WorkerSize size;
  private final Map<String, WorkerState> workers = new LinkedHashMap<>();
  private final WorkersByNode everyone = new WorkersByNode();
  private final WorkersByNode ordinary = new WorkersByNode();

  private final WorkersByNode idle = new WorkersByNode();
  private final WorkersByNode acceptingAhead = new WorkersByNode();
  private final Set<WorkerState> changed = new LinkedHashSet<>();

  /** How many workers that are not dedicated are expected in all. */
  private int expected;

  /** Nodes that had a worker and have none now. Files that are only there may be lost. */
  private final Set<String> lostNodes = new HashSet<>();

  /** Nodes that failed tasks, and until when they are avoided, in milliseconds since the epoch. */
  private final Map<String, Long> blacklisted = new HashMap<>();

  /** Nodes that YARN takes back, and until when, in milliseconds since the epoch. */
  private final Map<String, Long> leaving = new HashMap<>();

  public WorkerSet(WorkerSize size) {
    this.size = size;
  }

  /** Workers with some property, indexed by node. */
  public static final class WorkersByNode {

    private final Set<WorkerState> all = new LinkedHashSet<>();
    private final Map<String, Set<WorkerState>> byNode = new LinkedHashMap<>();

    private void set(WorkerState worker, boolean member) {
      String node = worker.info().node();
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

    public boolean isEmpty() {
      return all.isEmpty();
    }

    public boolean contains(WorkerState worker) {
      return all.contains(worker);
    }

    public Set<WorkerState> all() {
      return all;
    }

    public Set<String> nodes() {
      return byNode.keySet();
    }

    public Set<WorkerState> on(String node) {
      return byNode.getOrDefault(node, Set.of());
    }
  }

  /**
   * Adds a worker, unless it is known.
   *
   * @param dedicated the needs of the tasks that it is dedicated to; null when it is ordinary
   */
  public void join(WorkerInfo info, @Nullable ResourceNeeds dedicated, long now) {
    if (!workers.containsKey(info.id())) {
      WorkerState worker = new WorkerState(info, size, dedicated);
      ordinary.set(worker, dedicated == null);
      worker.resetFreeSince(now);
      workers.put(info.id(), worker);
      everyone.set(worker, true);
      changed(worker);
    }
  }

  public @Nullable WorkerState leave(String id) {
    WorkerState worker = workers.remove(id);
    if (worker != null) {
      everyone.set(worker, false);
      ordinary.set(worker, false);
      idle.set(worker, false);
      acceptingAhead.set(worker, false);
      changed.remove(worker);
    }
    return worker;
  }

  /** Notes that a node has lost its last worker. */
  public void markNodeLost(String node) {
    lostNodes.add(node);
  }

  /** Nodes that had a worker and have none now. */
  public Set<String> lostNodes() {
    return lostNodes;
  }

  /** Notes that a node has a worker again. */
  public void markNodeLive(String node) {
    lostNodes.remove(node);
  }

  /** Sets how many workers are expected in all, including the present ones. */
  public void expect(int number) {
    expected = number;
  }

  /** Whether a node without workers may still get one. */
  public boolean mayGetWorker(String node) {
    return ordinary.all().size() < expected && ordinary.on(node).isEmpty();
  }

  public Set<WorkerState> on(String node) {
    return everyone.on(node);
  }

  public WorkerSize workerSize() {
    return size;
  }

  /** Workers that are not dedicated. */
  public WorkersByNode ordinary() {
    return ordinary;
  }

  /** Workers that run only tasks that do not fit ordinary ones. */
  public List<WorkerState> dedicated() {
    return workers.size() == ordinary.all().size()
        ? List.of()
        : workers.values().stream().filter(WorkerState::isDedicated).toList();
  }

  /** Ordinary workers that have been idle at least since a time, the longest idle first. */
  public List<WorkerState> free(long since) {
    List<WorkerState> free = new ArrayList<>();
    for (WorkerState worker : ordinary.all()) {
      if (worker.isFree() && worker.freeSince() <= since) {
        free.add(worker);
      }
    }
    free.sort(Comparator.comparingLong(WorkerState::freeSince));
    return free;
  }

  public @Nullable WorkerState get(String id) {
    return workers.get(id);
  }

  /** Updates the indexes after the tasks of a worker have changed. */
  public void changed(WorkerState worker) {
    if (workers.get(worker.info().id()) == worker) {
      idle.set(worker, worker.idle());
      acceptingAhead.set(worker, worker.acceptsAhead());
      changed.add(worker);
    }
  }

  /** Workers that have joined, or whose tasks have changed, since the last call. */
  public List<WorkerState> takeChanged() {
    List<WorkerState> taken = List.copyOf(changed);
    changed.clear();
    return taken;
  }

  public Collection<WorkerState> all() {
    return Collections.unmodifiableCollection(workers.values());
  }

  public int size() {
    return workers.size();
  }

  /** Any worker of a node; null when there is none. */
  public @Nullable WorkerState anyOn(String node) {
    Set<WorkerState> there = everyone.on(node);
    return there.isEmpty() ? null : there.iterator().next();
  }

  public int workersOn(String node) {
    return everyone.on(node).size();
  }

  /** Workers on which a task may start at once. */
  public WorkersByNode idle() {
    return idle;
  }

  /** Workers that accept another task ahead. */
  public WorkersByNode acceptingAhead() {
    return acceptingAhead;
  }

  /**
   * Whether a task may run on a node. A task avoids nodes where it failed, and all tasks avoid
   * nodes that are blacklisted or leave, as long as another node has workers.
   */
  public boolean allows(TaskState task, String node) {
    Set<String> failed = task.failedNodes();
    if (!isAvoided(failed, node)) {
      return true;
    }
    Set<String> nodes = ordinary.nodes();
    if (nodes.size() > failed.size() + blacklisted.size() + leaving.size()) {
      return false;
    }
    for (String other : nodes) {
      if (!isAvoided(failed, other)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a dedicated worker is on a node that a task avoids. */
  public boolean avoids(TaskState task, WorkerState worker) {
    return isAvoided(task.failedNodes(), worker.info().node());
  }

  private boolean isAvoided(Set<String> failed, String node) {
    return failed.contains(node) || blacklisted.containsKey(node) || leaving.containsKey(node);
  }

  /**
   * Notes that YARN takes a node or its containers back.
   *
   * @param until the end of it, in milliseconds since the epoch; 0 when it stays
   */
  public void markLeaving(String node, long until) {
    if (until > 0) {
      leaving.merge(node, until, Math::max);
    } else {
      leaving.computeIfPresent(node, (name, was) -> 0L);
    }
  }

  /** Whether YARN takes a node or its containers back. */
  public boolean isLeaving(String node) {
    return leaving.containsKey(node);
  }

  /** Blacklists a node for a while: it gets only tasks that no other node may run. */
  public void blacklist(String node, long now) {
    blacklisted.put(node, now + BLACKLIST_MILLIS);
  }

  /**
   * Stops avoiding nodes whose time is over; their workers are considered again. The clock of an
   * earlier ApplicationMaster may have been ahead, so no node is blacklisted longer than usual.
   */
  public void expireAvoided(long now) {
    blacklisted.replaceAll((node, until) -> Math.min(until, now + BLACKLIST_MILLIS));
    expire(blacklisted, now);
    expire(leaving, now);
  }

  private void expire(Map<String, Long> nodes, long now) {
    if (!nodes.isEmpty() && nodes.values().removeIf(until -> until <= now)) {
      changed.addAll(workers.values());
    }
  }
}
