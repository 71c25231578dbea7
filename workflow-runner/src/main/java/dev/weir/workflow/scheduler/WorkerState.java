package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A live worker and what it has in hand: tasks that it runs, and tasks that it has ahead. */
final class WorkerState {

  final WorkerInfo info;
  private final WorkerSize size;

  /** What runs, with what it was given of this worker. */
  private final Map<TaskState, ResourceNeeds> running = new LinkedHashMap<>();

  private final Set<TaskState> ahead = new LinkedHashSet<>();
  private int coresUsed;
  private long memoryUsed;

  /** Since when it has had nothing in hand, in milliseconds since the epoch. */
  long freeSince;

  /** What is being taken from another worker for this one; null when nothing is. */
  @Nullable TaskState awaited;

  /** What nothing but that is given of it; null when nothing is kept. */
  private @Nullable ResourceNeeds kept;

  WorkerState(WorkerInfo info, WorkerSize size) {
    this.info = info;
    this.size = size;
  }

  Set<TaskState> running() {
    return running.keySet();
  }

  Set<TaskState> ahead() {
    return ahead;
  }

  /** All that it has, in the order in which it was given. */
  List<TaskState> hand() {
    List<TaskState> hand = new ArrayList<>(running.keySet());
    hand.addAll(ahead);
    return hand;
  }

  /** Whether it has nothing to do, and nothing is on its way to it. */
  boolean isFree() {
    return running.isEmpty() && ahead.isEmpty() && awaited == null;
  }

  /** Cores that no task has. */
  int freeCores() {
    return size.cores() - coresUsed;
  }

  /** Whether a task might start here at once. */
  boolean idle() {
    return ahead.isEmpty() && coresUsed < size.cores();
  }

  /** Whether it takes another task ahead; while it keeps room it does not. */
  boolean roomy() {
    return ahead.size() < size.ahead() && kept == null;
  }

  /** Whether it keeps room for something. */
  boolean keepsRoom() {
    return kept != null;
  }

  /** Nothing else is given so much of it, until {@link #freeRoom}. It has to have that. */
  void keepRoom(ResourceNeeds needs) {
    kept = needs;
    coresUsed += needs.cores();
    memoryUsed += needs.memoryBytes();
  }

  /** It keeps no room any more. */
  void freeRoom() {
    ResourceNeeds had = kept;
    if (had != null) {
      kept = null;
      coresUsed -= had.cores();
      memoryUsed -= had.memoryBytes();
    }
  }

  boolean canStart(ResourceNeeds needs) {
    return canStartBeside(needs, 0, 0);
  }

  /** Whether it could start a task at once if others took so much of what it has free. */
  boolean canStartBeside(ResourceNeeds needs, int cores, long memoryBytes) {
    return ahead.isEmpty() && fitsNow(needs, cores, memoryBytes);
  }

  /**
   * When it will have had room for a task and for each that it has ahead, as if these were over at
   * once.
   *
   * @param seconds how long each that runs will take
   * @return in seconds; endless when one of which that is said is to end first
   */
  double roomAfter(ResourceNeeds needs, ToDoubleFunction<TaskState> seconds) {
    List<Ending> endings = new ArrayList<>(running.size());
    running.forEach((task, had) -> endings.add(new Ending(seconds.applyAsDouble(task), had)));
    endings.sort(Comparator.comparingDouble(Ending::seconds));
    int cores = size.cores() - coresUsed;
    long memory = size.memoryBytes() - memoryUsed;
    ResourceNeeds most = needs;
    for (TaskState before : ahead) {
      most = most.atLeast(before.needs);
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

  private boolean fitsNow(ResourceNeeds needs, int cores, long memoryBytes) {
    return needs.cores() <= size.cores() - coresUsed - cores
        && needs.memoryBytes() <= size.memoryBytes() - memoryUsed - memoryBytes;
  }

  /** Takes a second copy of a task that can start at once. */
  void takeCopy(TaskState task) {
    occupy(task);
  }

  /** Takes a task: it starts, or waits for what is there. */
  void take(TaskState task) {
    task.worker = this;
    if (canStart(task.needs)) {
      begin(task);
    } else {
      task.ahead = true;
      ahead.add(task);
    }
  }

  private void begin(TaskState task) {
    task.ahead = false;
    task.waitsForNoWorker();
    occupy(task);
  }

  private void occupy(TaskState task) {
    running.put(task, task.needs);
    coresUsed += task.needs.cores();
    memoryUsed += task.needs.memoryBytes();
  }

  /**
   * An attempt at a task is over here.
   *
   * @return what starts in its place
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
      if (!fitsNow(next.needs, 0, 0)) {
        break;
      }
      ahead.remove(next);
      begin(next);
      begun.add(next);
    }
    return begun;
  }
}
