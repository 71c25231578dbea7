package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.Stragglers.RunningTask;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts second copies of stragglers, and decides which of two attempts may commit. Not
 * thread-safe.
 */
final class SpeculationPolicy {

  private static final double MILLIS_PER_SECOND = 1_000;

  private final SessionGraphs session;
  private final CacheIndex caches;
  private final WorkerSet workers;
  private final Assignments assignments;
  private final StepBuilder stepBuilder;
  private final List<CommitRequest> deferred = new ArrayList<>();
  private boolean answering;

  /** A worker's question whether it may commit an attempt. */
  private record CommitRequest(String worker, String task, int attempt) {}

  SpeculationPolicy(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet workers,
      Assignments assignments,
      StepBuilder stepBuilder) {
    this.session = session;
    this.caches = caches;
    this.workers = workers;
    this.assignments = assignments;
    this.stepBuilder = stepBuilder;
  }

  /** A straggler, and the worker for its second copy. */
  record Copy(TaskState task, WorkerState worker) {}

  /**
   * Chooses the copies to start now: none while a task is ready, and none on workers that await a
   * task. To be called after tasks were taken back: a task ahead that still waits is better off on
   * its busy worker.
   *
   * @param readRate rate of reading inputs from other nodes, in bytes a second; 0 when not known
   */
  List<Copy> copies(long now, long readRate) {
    if (workers.idle().isEmpty()
        || session.hasReady()
        || session.all().stream().noneMatch(WorkflowState::speculates)) {
      return List.of();
    }
    Set<WorkerState> free = new LinkedHashSet<>();
    int copies = 0;
    for (WorkerState worker : workers.all()) {
      if (worker.isFree()) {
        free.add(worker);
      }
      for (TaskState task : worker.running()) {
        copies += task.hasSecondCopyOn(worker) ? 1 : 0;
      }
    }
    int most = Math.min(free.size(), Stragglers.cap(workers.size()) - copies);
    return most <= 0 ? List.of() : copies(free, most, now, readRate);
  }

  private List<Copy> copies(Set<WorkerState> free, int most, long now, long readRate) {
    double rate = readRate > 0 ? readRate : TaskGraph.BYTES_PER_SECOND;
    Map<String, TaskState> tasks = new HashMap<>();
    List<RunningTask> runningTasks = new ArrayList<>();
    for (WorkerState worker : workers.all()) {
      for (TaskState task : worker.running()) {
        RunningTask runningTask = mayHaveCopy(task) ? runningTask(task, free, now, rate) : null;
        if (runningTask != null) {
          tasks.put(task.id(), task);
          runningTasks.add(runningTask);
        }
      }
    }
    List<Copy> copies = new ArrayList<>();
    for (RunningTask chosen : Stragglers.choose(runningTasks, most)) {
      TaskState task = tasks.get(chosen.task());
      WorkerState place = task == null ? null : place(task, free);
      if (task != null && place != null) {
        free.remove(place);
        copies.add(new Copy(task, place));
      }
    }
    return copies;
  }

  /** A task with a single allowed attempt must not have two. Regions can be joined only once. */
  private static boolean mayHaveCopy(TaskState task) {
    return task.status() == Status.ASSIGNED
        && task.graph().speculates()
        && !task.graph().isOver()
        && !task.graph().paused()
        && task.secondCopy() == null
        && !task.isGranted()
        && !task.isHeld()
        && task.missing() == 0
        && !task.task().joinsRegions()
        && !task.task().needs().singleCopy()
        && task.attemptsAllowed() > 1;
  }

  private @Nullable RunningTask runningTask(
      TaskState task, Set<WorkerState> free, long now, double rate) {
    RuntimeEstimates.Estimate estimate = task.graph().estimates().of(task.task().type());
    if (estimate == null) {
      return null;
    }
    double elapsed = (now - task.begunMillis()) / MILLIS_PER_SECOND;
    RunningTask atBest =
        new RunningTask(
            task.id(), elapsed, estimate.expected(), estimate.slow(), estimate.expected());
    // Most tasks are no stragglers even with local inputs, and there may be thousands of free
    // workers.
    WorkerState place = atBest.isStraggler() ? place(task, free) : null;
    if (place == null) {
      return null;
    }
    long missing = task.missingOn(place.info().node(), caches, Double.MAX_VALUE);
    return atBest.withCopySeconds(estimate.expected() + missing / rate);
  }

  /**
   * Chooses a worker on another node, since this node may be the reason for the delay; with most of
   * the task's bytes.
   */
  private @Nullable WorkerState place(TaskState task, Set<WorkerState> free) {
    // Few of thousands of free workers are on nodes with its bytes.
    List<LocalTask> nearest = new ArrayList<>(task.hostEntries());
    nearest.sort(Comparator.comparingLong(LocalTask::bytes).reversed());
    for (LocalTask near : nearest) {
      for (WorkerState worker : workers.on(near.host())) {
        if (free.contains(worker) && mayCopy(task, worker)) {
          return worker;
        }
      }
    }
    for (WorkerState worker : free) {
      if (mayCopy(task, worker)) {
        return worker;
      }
    }
    return null;
  }

  private boolean mayCopy(TaskState task, WorkerState worker) {
    WorkerState holder = task.worker();
    String node = worker.info().node();
    return holder != null
        && !node.equals(holder.info().node())
        && worker.canStart(task.needs())
        && workers.allows(task, node);
  }

  /**
   * Handles a worker's question whether it may commit an attempt. Before the session has started,
   * the answer is deferred: a worker that has not returned yet may have been allowed to commit
   * before.
   */
  void commitRequested(String workerId, String taskId, int attempt) {
    CommitRequest request = new CommitRequest(workerId, taskId, attempt);
    if (answering) {
      answer(request);
    } else {
      deferred.add(request);
    }
  }

  /** Answers deferred questions, after all workers of an earlier dispatcher have returned. */
  void answerAll() {
    answering = true;
    deferred.forEach(this::answer);
    deferred.clear();
  }

  private void answer(CommitRequest request) {
    WorkerState worker = workers.get(request.worker());
    TaskState task = session.task(request.task());
    boolean granted = worker != null && task != null && grant(task, worker, request.attempt());
    stepBuilder.effect(
        new Effect.Permit(request.worker(), request.task(), request.attempt(), granted));
  }

  /**
   * Allows the first of two attempts to commit, and stops the other one. The permission holds until
   * the attempt ends; if the attempt fails, the task is retried.
   *
   * @return whether the attempt may commit
   */
  private boolean grant(TaskState task, WorkerState worker, int attempt) {
    AttemptRef held = task.attemptOn(worker).orElse(null);
    if (held == null
        || held.attempt() != attempt
        || held.stopping()
        || task.status() != Status.ASSIGNED) {
      return false;
    }
    if (task.worker() != worker) {
      if (task.isGranted()) {
        return false;
      }
      assignments.preferSecondCopy(task);
    } else {
      assignments.stopSecondCopy(task);
    }
    task.grantCommit();
    return true;
  }
}
