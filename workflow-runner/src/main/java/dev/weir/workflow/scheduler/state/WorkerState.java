package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A live worker, the attempts that it runs, and its tasks ahead. */
public final class WorkerState {

  private final WorkerInfo info;
  private final WorkerSize size;

  /** What it was requested for; null when it is an ordinary worker. */
  private final @Nullable ResourceNeeds dedicated;

  /** Running tasks with the resources reserved for them. */
  private final Map<TaskState, ResourceNeeds> running = new LinkedHashMap<>();

  private final Set<TaskState> ahead = new LinkedHashSet<>();
  private int coresUsed;
  private long memoryUsed;

  /** Since when it has had no tasks, in milliseconds since the epoch. */
  private long freeSince;

  /** The resources that are reserved for a task; null when none are. */
  private @Nullable ResourceNeeds reserved;

  private boolean isLossExcused;
  private boolean isPreempted;

  /**
   * A worker without tasks.
   *
   * @param dedicated the needs of the tasks that it is dedicated to; null when it is ordinary
   */
  WorkerState(WorkerInfo info, WorkerSize size, @Nullable ResourceNeeds dedicated) {
    this.info = info;
    this.size = size;
    this.dedicated = dedicated;
  }

  /** Whether it runs only tasks that do not fit ordinary workers, one at a time. */
  boolean isDedicated() {
    return dedicated != null;
  }

  /** The needs that it is dedicated to; null when it is ordinary. */
  public @Nullable ResourceNeeds dedication() {
    return dedicated;
  }

  /** Whether it is dedicated, and has what a task needs. */
  public boolean isDedicatedTo(ResourceNeeds needs) {
    return dedicated != null
        && dedicated.resources().equals(needs.resources())
        && dedicated.members() == needs.members()
        && dedicated.atLeast(needs).equals(dedicated);
  }

  public WorkerInfo info() {
    return info;
  }

  /**
   * Notes that YARN has caused its loss, which follows.
   *
   * @param preempted whether its tasks cannot be the cause
   */
  public void excuseLoss(boolean preempted) {
    isLossExcused = true;
    isPreempted = preempted;
  }

  public boolean isLossExcused() {
    return isLossExcused;
  }

  /**
   * Whether its loss costs a task no try.
   *
   * @param aheadOnly whether the task's command had not begun
   */
  public boolean isLossExcused(TaskState task, boolean aheadOnly) {
    return isLossExcused && (isPreempted || aheadOnly || task.hasExcuse());
  }

  public long freeSince() {
    return freeSince;
  }

  public Set<TaskState> running() {
    return running.keySet();
  }

  public Set<TaskState> ahead() {
    return ahead;
  }

  /** All its tasks, in the order in which they were assigned. */
  public List<TaskState> assigned() {
    List<TaskState> assigned = new ArrayList<>(running.keySet());
    assigned.addAll(ahead);
    return assigned;
  }

  /** Whether it has no tasks and no reservation. */
  public boolean isFree() {
    return running.isEmpty() && ahead.isEmpty() && reserved == null;
  }

  void resetFreeSince(long now) {
    freeSince = now;
  }

  public int freeCores() {
    return size.cores() - coresUsed;
  }

  /** Whether a task may start here at once. */
  public boolean idle() {
    return ahead.isEmpty() && coresUsed < size.cores() && !isDedicated();
  }

  /** Whether it accepts another task ahead. It does not while it has a reservation. */
  boolean acceptsAhead() {
    return ahead.size() < size.ahead() && reserved == null && !isDedicated();
  }

  public boolean hasReservation() {
    return reserved != null;
  }

  /** Reserves free resources until {@link #releaseRoom}. */
  public void reserveRoom(ResourceNeeds needs) {
    reserved = needs;
    coresUsed += needs.cores();
    memoryUsed += needs.memoryBytes();
  }

  /** Ends the reservation, if there is one. */
  public void releaseRoom() {
    ResourceNeeds had = reserved;
    if (had != null) {
      reserved = null;
      coresUsed -= had.cores();
      memoryUsed -= had.memoryBytes();
    }
  }

  public boolean canStart(ResourceNeeds needs) {
    return ahead.isEmpty() && fitsNow(needs);
  }

  /**
   * The time until it has had room for a task and for each task ahead, as if each task ahead ended
   * at once.
   *
   * @param seconds how long each running task will still take
   * @return in seconds; infinite when a task must end first for which {@code seconds} is infinite
   */
  public double roomAfter(ResourceNeeds needs, ToDoubleFunction<TaskState> seconds) {
    List<Ending> endings = new ArrayList<>(running.size());
    running.forEach((task, had) -> endings.add(new Ending(seconds.applyAsDouble(task), had)));
    endings.sort(Comparator.comparingDouble(Ending::seconds));
    int cores = size.cores() - coresUsed;
    long memory = size.memoryBytes() - memoryUsed;
    ResourceNeeds most = needs;
    for (TaskState before : ahead) {
      most = most.atLeast(before.needs());
    }
    double after = 0;
    for (Ending ending : endings) {
      if (most.cores() <= cores && most.memoryBytes() <= memory) {
        break;
      }
      after = ending.seconds();
      cores += ending.freed().cores();
      memory += ending.freed().memoryBytes();
    }
    return after;
  }

  private record Ending(double seconds, ResourceNeeds freed) {}

  private boolean fitsNow(ResourceNeeds needs) {
    return needs.cores() <= size.cores() - coresUsed
        && needs.memoryBytes() <= size.memoryBytes() - memoryUsed;
  }

  /** Takes a task, which starts at once if there is room, or else is ahead. */
  void take(TaskState task) {
    task.assignTo(this);
    if (isDedicated() || canStart(task.needs())) {
      begin(task);
    } else {
      task.markAhead();
      ahead.add(task);
    }
  }

  private void begin(TaskState task) {
    task.markRunning();
    occupy(task);
  }

  /** Starts a task, or a second copy of one, for which there must be room. */
  void occupy(TaskState task) {
    running.put(task, task.needs());
    coresUsed += task.needs().cores();
    memoryUsed += task.needs().memoryBytes();
  }

  /**
   * Removes a task.
   *
   * @return tasks ahead that start in its place
   */
  List<TaskState> drop(TaskState task) {
    ResourceNeeds had = running.remove(task);
    if (had == null) {
      ahead.remove(task);
    } else {
      coresUsed -= had.cores();
      memoryUsed -= had.memoryBytes();
    }
    List<TaskState> begun = new ArrayList<>(1);
    while (!ahead.isEmpty()) {
      TaskState next = ahead.iterator().next();
      if (!fitsNow(next.needs())) {
        break;
      }
      ahead.remove(next);
      begin(next);
      begun.add(next);
    }
    return begun;
  }
}
