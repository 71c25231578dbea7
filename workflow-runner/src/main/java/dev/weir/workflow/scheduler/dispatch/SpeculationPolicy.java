package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.RuntimeEstimates;
import dev.weir.workflow.scheduler.state.RuntimeEstimates.Estimate;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts second copies of running tasks on idle workers.
 *
 * <p>The rule is that of LATE (M. Zaharia, A. Konwinski, A. D. Joseph, R. Katz and I. Stoica,
 * <i>Improving MapReduce Performance in Heterogeneous Environments</i>, OSDI 2008): copy the task
 * with the Longest Approximate Time to End, if it is slower than most of its kind, and never let
 * copies occupy more than a small part of the workers. LATE estimates the time to the end from the
 * progress that map and reduce tasks report. Commands report no progress; only the run times of
 * other tasks of the type are known. A task is no straggler until it has run longer than three
 * quarters of these (LATE's threshold for slow tasks). From then on, its remaining time is assumed
 * to be the time by which it is late: a task that is a minute late will take another minute. A copy
 * pays if that is more than the copy takes, including its inputs. With this rule a task takes at
 * most twice as long as with perfect knowledge.
 */
public final class SpeculationPolicy {

  /**
   * Minimum time before a task gets a copy. A worker asks before a commit only when it has had the
   * attempt for a while ({@link TaskOrder#ASK_AFTER_MILLIS}), counted from when the order was sent.
   * A worker that has received nothing for the rest of this time assumes that the connection is
   * cut, and asks in any case. So each attempt with a copy asks before it commits.
   */
  static final double LEAST_SECONDS =
      (TaskOrder.ASK_AFTER_MILLIS + TaskOrder.LINK_TIMEOUT_MILLIS) / 1_000.0;

  /** LATE's limit on speculative tasks. */
  private static final double MOST_OF_WORKERS = 0.1;

  /** On a small cluster, a tenth of the workers would be fewer than the tasks of one slow node. */
  private static final int LEAST_CAP = 2;

  private final SessionState session;
  private final WorkerSet workers;

  public SpeculationPolicy(SessionState session) {
    this.session = session;
    this.workers = session.workers();
  }

  /**
   * A running task.
   *
   * @param elapsedSeconds how long it has run, including staging
   * @param estimate run times of its type
   */
  record RunningTask(TaskState task, double elapsedSeconds, Estimate estimate) {

    static final Comparator<RunningTask> LONGEST_FIRST =
        Comparator.comparingDouble(RunningTask::secondsLate)
            .reversed()
            .thenComparing(running -> running.task.id());

    private double secondsLate() {
      return elapsedSeconds - estimate.expected();
    }

    /**
     * Whether a copy pays.
     *
     * @param readSeconds how long the copy would read its inputs
     */
    boolean isStraggler(double readSeconds) {
      return elapsedSeconds >= LEAST_SECONDS
          && elapsedSeconds > estimate.slow()
          && secondsLate() > estimate.expected() + readSeconds;
    }
  }

  /** Maximum number of copies at a time. */
  static int cap(int workers) {
    return Math.max(LEAST_CAP, (int) (workers * MOST_OF_WORKERS));
  }

  /**
   * Starts copies: none while a task is ready, and none on workers that await a task. To be called
   * after tasks were taken back: a task ahead that still waits is better off on its busy worker.
   *
   * @param graphs those that have not ended
   */
  public void copy(List<WorkflowState> graphs, long now) {
    if (workers.idle().isEmpty()
        || graphs.stream().anyMatch(graph -> !graph.ready().isEmpty())
        || graphs.stream().noneMatch(WorkflowState::speculates)) {
      return;
    }
    Set<WorkerState> free = new LinkedHashSet<>();
    List<RunningTask> stragglers = new ArrayList<>();
    int most = cap(workers.size());
    // Not dedicated workers: they lack what other tasks need, and have what others lack.
    for (WorkerState worker : workers.ordinary().all()) {
      if (worker.isFree()) {
        free.add(worker);
      }
      for (TaskState task : worker.running()) {
        most -= task.hasSecondCopyOn(worker) ? 1 : 0;
        addStraggler(task, now, stragglers);
      }
    }
    stragglers.sort(RunningTask.LONGEST_FIRST);
    copy(stragglers, free, most);
  }

  /** Most tasks are no stragglers even if a copy had its inputs. */
  private static void addStraggler(TaskState task, long now, List<RunningTask> stragglers) {
    Estimate estimate = mayHaveCopy(task) ? task.graph().estimates().of(task.task().type()) : null;
    if (estimate != null) {
      RunningTask running = new RunningTask(task, RuntimeEstimates.elapsed(task, now), estimate);
      if (running.isStraggler(0)) {
        stragglers.add(running);
      }
    }
  }

  private void copy(List<RunningTask> stragglers, Set<WorkerState> free, int most) {
    int copies = 0;
    for (RunningTask straggler : stragglers) {
      TaskState task = straggler.task();
      WorkerState place = copies < most ? place(task, free) : null;
      if (place != null) {
        long missing = task.missingOn(place.info().node(), session.caches(), Double.MAX_VALUE);
        if (straggler.isStraggler(missing / session.readRate().rate())) {
          free.remove(place);
          session.assignments().copy(task, place);
          copies++;
        }
      }
    }
  }

  /** A task with a single allowed attempt must not have two. Regions can be joined only once. */
  private static boolean mayHaveCopy(TaskState task) {
    return task.status() == Status.ASSIGNED
        && task.graph().speculates()
        && !task.graph().isOver()
        && !task.graph().readyTasks().paused()
        && task.secondCopy() == null
        && !task.isGranted()
        && !task.isHeld()
        && task.missing() == 0
        && !task.task().joinsRegions()
        && !task.task().needs().singleCopy()
        && task.attemptsAllowed() != 1;
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
}
