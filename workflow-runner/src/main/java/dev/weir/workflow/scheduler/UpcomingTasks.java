package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.CopyAheadPlanner.Input;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Upcoming;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds tasks that will be ready soon, and workers that will have room. Not thread-safe. */
final class UpcomingTasks {

  /** How many tasks that wait for the same running task are considered. */
  private static final int MOST_OF_ONE = 64;

  /** How many tasks are considered in all. */
  static final int MOST = 512;

  /** How many inputs and tasks before them all considered tasks may have together. */
  static final int MOST_LOOKED_AT = 20_000;

  private final WorkerSet workers;
  private final CacheIndex caches;

  UpcomingTasks(WorkerSet workers, CacheIndex caches) {
    this.workers = workers;
    this.caches = caches;
  }

  /** Tasks that wait only for running tasks. */
  List<Upcoming> upcoming(long now) {
    List<Upcoming> found = new ArrayList<>();
    int left = MOST_LOOKED_AT;
    for (TaskState task : waiting()) {
      int effort = task.inputs().size() + task.task().after().size();
      if (effort <= left) {
        left -= effort;
        addIfUpcoming(task, now, found);
      }
    }
    return found;
  }

  /** The first tasks that wait for a running one. */
  private Set<TaskState> waiting() {
    Set<TaskState> waiting = new LinkedHashSet<>();
    for (WorkerState worker : workers.all()) {
      for (TaskState running : worker.running()) {
        for (FileState output : running.outputs()) {
          first(output.readers(), waiting);
          if (waiting.size() >= MOST) {
            return waiting;
          }
        }
        first(running.followers(), waiting);
        if (waiting.size() >= MOST) {
          return waiting;
        }
      }
    }
    return waiting;
  }

  private static void first(List<TaskState> tasks, Set<TaskState> into) {
    for (int i = 0; i < tasks.size() && i < MOST_OF_ONE && into.size() < MOST; i++) {
      if (tasks.get(i).status() == Status.WAITING) {
        into.add(tasks.get(i));
      }
    }
  }

  private void addIfUpcoming(TaskState task, long now, List<Upcoming> found) {
    if (task.status() != Status.WAITING
        || task.isHeld()
        || task.graph().paused()
        || task.graph().isOver()
        || !task.graph().copiesAhead()
        || task.task().joinsRegions()) {
      return;
    }
    int awaited = 0;
    int there = 0;
    double readySeconds = 0;
    List<Input> inputs = new ArrayList<>();
    Map<String, Long> coming = new HashMap<>();
    for (FileState input : task.inputs()) {
      TaskState producer = input.producer();
      if (input.available()) {
        if (task.task().regionsOf(input.name()).isEmpty()) {
          there++;
          if (input.length() >= CopyAheadPlanner.LEAST_BYTES) {
            inputs.add(new Input(input.id(), input.length(), holders(input), stored(input)));
          }
        }
      } else if (producer != null && runs(producer)) {
        awaited++;
        readySeconds = Math.max(readySeconds, task.graph().estimates().remaining(producer, now));
        String node = producer.worker() == null ? "" : producer.worker().info().node();
        coming.merge(node, Math.max(1, input.sizeBytes()), Long::sum);
      }
    }
    for (String before : task.task().after()) {
      TaskState first = task.graph().taskNamed(before);
      if (first != null && runs(first)) {
        awaited++;
        readySeconds = Math.max(readySeconds, task.graph().estimates().remaining(first, now));
      }
    }
    if (awaited == task.missing() && there > 0) {
      found.add(new Upcoming(task.id(), task.rank(), readySeconds, inputs, coming));
    }
  }

  private static boolean runs(TaskState task) {
    return task.status() == Status.ASSIGNED && !task.isAhead();
  }

  /** For each node, after how many seconds each of its task slots is free. */
  Map<String, List<Double>> slots(long now) {
    Map<String, List<Double>> slots = new HashMap<>();
    for (WorkerState worker : workers.all()) {
      List<Double> free = new ArrayList<>(Collections.nCopies(worker.freeCores(), 0.0));
      worker.running().forEach(task -> free.add(task.graph().estimates().remaining(task, now)));
      Collections.sort(free);
      // Its tasks ahead come first.
      int taken = Math.min(free.size(), worker.ahead().size());
      slots
          .computeIfAbsent(worker.info().node(), node -> new ArrayList<>())
          .addAll(free.subList(taken, free.size()));
    }
    return slots;
  }

  /** Hosts that have all of a file, in HDFS or in their caches. */
  private Set<String> holders(FileState file) {
    Set<String> holders = new HashSet<>(caches.nodes(file.id()).keySet());
    holders.addAll(stored(file));
    return holders;
  }

  /** Whether a host has all of a file, in HDFS or in its cache. */
  boolean holds(String host, FileState file) {
    return file.isWholeOn(host) || caches.nodes(file.id()).containsKey(host);
  }

  private static Set<String> stored(FileState file) {
    Set<String> hosts = new HashSet<>();
    for (String host : file.hosts()) {
      if (file.isWholeOn(host)) {
        hosts.add(host);
      }
    }
    return hosts;
  }
}
