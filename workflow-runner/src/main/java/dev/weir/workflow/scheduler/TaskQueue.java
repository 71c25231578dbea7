package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.FileRegion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tasks in the order in which they are wanted, as a whole and for each host that holds bytes of
 * their inputs. What it costs to add, remove or find a task does not grow with their number beyond
 * its logarithm. Not thread-safe.
 */
final class TaskQueue {

  /** A task is listed with the hosts that have most of it; nobody looks for the tenth best. */
  private static final int HOSTS_PER_TASK = 8;

  /** A file with more hosts than this speaks for none of them. */
  static final int EVERYWHERE = 64;

  private final Comparator<TaskState> order;
  private final boolean listsPlaces;
  private final CacheIndex caches;
  private final NavigableSet<TaskState> all;
  private final Map<String, NavigableSet<LocalTask>> byHost = new HashMap<>();

  /** How many cores all of them count for. */
  private int cores;

  /**
   * An empty queue.
   *
   * @param caches what nodes keep beside HDFS
   */
  TaskQueue(Policy policy, CacheIndex caches) {
    this.caches = caches;
    Comparator<TaskState> byAge = Comparator.comparingLong(task -> task.readyNumber);
    Comparator<TaskState> byPriority = Comparator.comparingInt(task -> -task.priority);
    this.order =
        policy == Policy.FIFO
            ? byPriority.thenComparing(byAge)
            : byPriority.thenComparingDouble(task -> -task.rank).thenComparing(byAge);
    this.listsPlaces = policy != Policy.FIFO;
    this.all = new TreeSet<>(order);
  }

  /** Which of two tasks is wanted first, other things being equal. */
  Comparator<TaskState> order() {
    return order;
  }

  /** Adds a task, which has to be in no queue. */
  void add(TaskState task) {
    if (all.add(task)) {
      cores += task.cores;
    }
    if (!listsPlaces) {
      return;
    }
    task.places = places(task);
    for (LocalTask place : task.places) {
      byHost.computeIfAbsent(place.host(), host -> newHost()).add(place);
    }
  }

  private NavigableSet<LocalTask> newHost() {
    return new TreeSet<>(
        Comparator.<LocalTask>comparingInt(place -> -place.task().priority)
            .thenComparing(Comparator.comparingLong(LocalTask::bytes).reversed())
            .thenComparing(LocalTask::task, order));
  }

  /** Removes a task; one that is not here is no error. */
  void remove(TaskState task) {
    if (!all.remove(task)) {
      return;
    }
    cores -= task.cores;
    for (LocalTask place : task.places) {
      NavigableSet<LocalTask> there = byHost.get(place.host());
      if (there != null && there.remove(place) && there.isEmpty()) {
        byHost.remove(place.host());
      }
    }
  }

  /** Lists a task anew after files have come to be elsewhere; one that is not here is no error. */
  void listAgain(TaskState task) {
    if (listsPlaces && all.contains(task)) {
      remove(task);
      add(task);
    }
  }

  boolean contains(TaskState task) {
    return all.contains(task);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  /** How many cores all of them count for in their graph's share. */
  int cores() {
    return cores;
  }

  /** All tasks, the one that is wanted first at the front. */
  NavigableSet<TaskState> all() {
    return all;
  }

  /** Whether nobody wants any of these before others, wherever their bytes are. */
  boolean isOfOnePriority() {
    return all.isEmpty() || all.first().priority == all.last().priority;
  }

  /** Adds inputs of the first tasks, as ids, until there are so many. */
  void inputs(int most, Set<String> into) {
    for (TaskState task : all) {
      if (into.size() >= most) {
        return;
      }
      task.inputs.stream().limit(most - into.size()).map(file -> file.id).forEach(into::add);
    }
  }

  /** Hosts that hold bytes of any. */
  Set<String> hosts() {
    return byHost.keySet();
  }

  /** Tasks with bytes on a host, the one with the most at the front. */
  Set<LocalTask> on(String host) {
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
      // Of equal hosts each task takes others, or some would be listed for all and others for none.
      places.sort(
          Comparator.comparingLong(LocalTask::bytes)
              .reversed()
              .thenComparing(place -> spread(place.host(), task.readyNumber)));
      return List.copyOf(places.subList(0, HOSTS_PER_TASK));
    }
    return List.copyOf(places);
  }

  private static int spread(String host, long number) {
    return Long.hashCode((host.hashCode() + number) * 0x9E3779B97F4A7C15L);
  }

  private Map<String, Long> bytesByHost(TaskState task) {
    if (task.inputs.size() == 1) {
      FileState only = task.inputs.get(0);
      return hosts(task, only);
    }
    Map<String, Long> sum = new HashMap<>();
    for (FileState input : task.inputs) {
      hosts(task, input).forEach((host, bytes) -> sum.merge(host, bytes, Long::sum));
    }
    return sum;
  }

  private Map<String, Long> hosts(TaskState task, FileState input) {
    List<FileRegion> regions = task.task.regionsOf(input.name);
    Map<String, Long> held = input.bytesByHost(regions);
    // Regions are read from HDFS alone.
    Map<String, Long> bytes = regions.isEmpty() ? caches.with(held, input.id) : held;
    return bytes.size() > EVERYWHERE ? Map.of() : bytes;
  }
}
