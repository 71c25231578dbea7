package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A queue of tasks, ordered by priority and rank or age, with an index by the hosts that have bytes
 * of their inputs. Adding, removing and finding a task takes logarithmic time. Not thread-safe.
 */
public final class TaskQueue {

  /** A task is indexed under the hosts with most of its bytes; the tenth best is never chosen. */
  private static final int HOSTS_PER_TASK = 8;

  /** A file with more hosts than this is not indexed. */
  public static final int MOST_HOSTS = 64;

  private final Comparator<TaskState> order;
  private final boolean listsPlaces;
  private final CacheIndex caches;
  private final NavigableSet<TaskState> all;
  private final Map<String, NavigableSet<LocalTask>> byHost = new HashMap<>();
  private int cores;

  TaskQueue(AssignmentPolicy policy, CacheIndex caches) {
    this.caches = caches;
    Comparator<TaskState> byAge = Comparator.comparingLong(TaskState::readyNumber);
    Comparator<TaskState> byPriority = Comparator.comparingInt(task -> -task.priority());
    this.order =
        policy == AssignmentPolicy.FIFO
            ? byPriority.thenComparing(byAge)
            : byPriority.thenComparingDouble(task -> -task.rank()).thenComparing(byAge);
    this.listsPlaces = policy != AssignmentPolicy.FIFO;
    this.all = new TreeSet<>(order);
  }

  public Comparator<TaskState> order() {
    return order;
  }

  /** Adds a task, which must be in no queue. */
  void add(TaskState task) {
    if (all.add(task)) {
      cores += task.cores();
    }
    if (!listsPlaces) {
      return;
    }
    task.indexUnder(places(task));
    for (LocalTask place : task.hostEntries()) {
      byHost.computeIfAbsent(place.host(), host -> newHost()).add(place);
    }
  }

  private NavigableSet<LocalTask> newHost() {
    return new TreeSet<>(
        Comparator.<LocalTask>comparingInt(place -> -place.task().priority())
            .thenComparing(Comparator.comparingLong(LocalTask::bytes).reversed())
            .thenComparing(LocalTask::task, order));
  }

  /** Removes a task; one that is not in the queue is ignored. */
  void remove(TaskState task) {
    if (!all.remove(task)) {
      return;
    }
    cores -= task.cores();
    for (LocalTask place : task.hostEntries()) {
      NavigableSet<LocalTask> there = byHost.get(place.host());
      if (there != null && there.remove(place) && there.isEmpty()) {
        byHost.remove(place.host());
      }
    }
  }

  /** Updates the hosts of a task; one that is not in the queue is ignored. */
  public void reindex(TaskState task) {
    if (listsPlaces && all.contains(task)) {
      remove(task);
      add(task);
    }
  }

  public boolean contains(TaskState task) {
    return all.contains(task);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public int size() {
    return all.size();
  }

  /** How many cores its tasks count for in their graph's share. */
  public int cores() {
    return cores;
  }

  /** All tasks, in the order of the queue. */
  public NavigableSet<TaskState> all() {
    return all;
  }

  /** Adds ids of inputs of the first tasks to a set, up to a maximum size. */
  public void inputs(int most, Set<String> into) {
    for (TaskState task : all) {
      if (into.size() >= most) {
        return;
      }
      task.inputs().stream().limit(most - into.size()).map(FileState::id).forEach(into::add);
    }
  }

  /** Hosts with bytes of any task. */
  public Set<String> hosts() {
    return byHost.keySet();
  }

  /** Tasks with bytes on a host, those with most first. */
  public Set<LocalTask> on(String host) {
    NavigableSet<LocalTask> there = byHost.get(host);
    return there == null ? Set.of() : there;
  }

  private List<LocalTask> places(TaskState task) {
    Map<String, Long> bytes = bytesByHost(task);
    if (bytes.isEmpty()) {
      return List.of();
    }
    List<LocalTask> places = new ArrayList<>(bytes.size());
    bytes.forEach(
        (host, held) -> {
          if (held > 0) {
            places.add(new LocalTask(host, held, task));
          }
        });
    if (places.size() > HOSTS_PER_TASK) {
      // Equal hosts are spread over the tasks. Otherwise some hosts would be indexed for all tasks
      // and others for none.
      places.sort(
          Comparator.comparingLong(LocalTask::bytes)
              .reversed()
              .thenComparing(place -> spread(place.host(), task.readyNumber())));
      return List.copyOf(places.subList(0, HOSTS_PER_TASK));
    }
    return List.copyOf(places);
  }

  private static int spread(String host, long number) {
    return Long.hashCode((host.hashCode() + number) * 0x9E3779B97F4A7C15L);
  }

  private Map<String, Long> bytesByHost(TaskState task) {
    if (task.inputs().size() == 1) {
      FileState only = task.inputs().get(0);
      return hosts(task, only);
    }
    Map<String, Long> sum = new HashMap<>();
    for (FileState input : task.inputs()) {
      hosts(task, input).forEach((host, bytes) -> sum.merge(host, bytes, Long::sum));
    }
    return sum;
  }

  private Map<String, Long> hosts(TaskState task, FileState input) {
    List<FileRegion> regions = task.task().regionsOf(input.name());
    Map<String, Long> held = input.bytesByHost(regions);
    // Regions are read only from HDFS.
    Map<String, Long> bytes = regions.isEmpty() ? caches.merged(held, input.id()) : held;
    return bytes.size() > MOST_HOSTS ? Map.of() : bytes;
  }
}
