package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.WorkerSet.WorkersByNode;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks ahead back for idle workers. The worker that has the task decides: a task whose
 * command has begun stays there.
 */
final class LookAheadRecall {

  private static final double MILLIS_PER_SECOND = 1_000;

  /** Bounds the pairs that are tried for each event. */
  private static final int MOST_TRIES = 16;

  private final WorkflowState graph;
  private final TaskQueue ahead;
  private final CacheIndex caches;
  private final WorkerSet workers;
  private final Assignments assignments;
  private final StepBuilder stepBuilder;
  private final LookAheadWaits waits;
  private final ReadRate readRate;

  /** Idle workers that are tried in the present round; some may not be idle any more. */
  private final Queue<WorkerState> pending = new ArrayDeque<>();

  /** The last task tried behind the first {@link #MOST_TRIES}; null before the first such task. */
  private @Nullable TaskState lastExamined;

  /** {@link #lastExamined} when the present round began. */
  private @Nullable TaskState roundStart;

  LookAheadRecall(SchedulerContext context) {
    this.graph = context.graph();
    this.ahead = graph.ahead();
    this.caches = graph.caches();
    this.workers = context.workers();
    this.assignments = context.assignments();
    this.stepBuilder = context.stepBuilder();
    this.waits = new LookAheadWaits(context);
    this.readRate = context.readRate();
  }

  /**
   * Takes tasks back for idle workers. To be called when these may run no ready task. Tries a
   * bounded number of pairs.
   */
  void recall() {
    if (ahead.isEmpty() || workers.idle().isEmpty()) {
      return;
    }
    targets().forEach(this::recallFor);
  }

  /**
   * The workers to try: first those on nodes with bytes of tasks ahead, because a move may pay only
   * for them. Then idle workers in turn, so that any number of workers without room cannot hide one
   * that has room.
   */
  private List<WorkerState> targets() {
    WorkersByNode idle = workers.idle();
    Set<WorkerState> targets = new LinkedHashSet<>();
    boolean fewNodes = idle.nodes().size() <= ahead.hosts().size();
    for (String node : fewNodes ? idle.nodes() : ahead.hosts()) {
      if (targets.size() == MOST_TRIES) {
        // There may be thousands of nodes.
        break;
      }
      if (!ahead.on(node).isEmpty()) {
        addNear(idle.on(node), targets);
      }
    }
    addRoundRobin(idle, targets);
    return List.copyOf(targets);
  }

  private static void addNear(Set<WorkerState> idle, Set<WorkerState> targets) {
    for (WorkerState worker : idle) {
      if (targets.size() == MOST_TRIES) {
        return;
      }
      if (!worker.awaitsTask()) {
        targets.add(worker);
      }
    }
  }

  private void addRoundRobin(WorkersByNode idle, Set<WorkerState> targets) {
    int most = targets.size() + MOST_TRIES;
    boolean isNewRound = false;
    while (targets.size() < most) {
      WorkerState worker = pending.poll();
      if (worker != null && idle.contains(worker) && !worker.awaitsTask()) {
        targets.add(worker);
      } else if (worker == null && isNewRound) {
        return;
      } else if (worker == null) {
        isNewRound = true;
        startRound(idle);
      }
    }
  }

  /**
   * Starts a new round of idle workers. Each worker meets other tasks than in the last round:
   * workers and tasks both go round, and a pair might never meet otherwise.
   */
  private void startRound(WorkersByNode idle) {
    pending.addAll(idle.all());
    roundStart = lastOf(behind(roundStart));
    lastExamined = roundStart;
  }

  private void recallFor(WorkerState target) {
    Stream<LocalTask> near = ahead.on(target.info().node()).stream().limit(MOST_TRIES);
    first(near.map(LocalTask::task), target)
        .or(() -> first(ahead.all().stream().limit(MOST_TRIES), target))
        .or(() -> first(others().stream(), target))
        .ifPresent(task -> assignments.recall(task, target));
  }

  private Optional<TaskState> first(Stream<TaskState> tasks, WorkerState target) {
    return tasks.filter(task -> pays(task, target)).findFirst();
  }

  /**
   * Tries tasks behind the first ones in turn, so that any number of tasks that should wait cannot
   * hide one that should move.
   */
  private List<TaskState> others() {
    List<TaskState> next = behind(lastExamined);
    lastExamined = lastOf(next);
    return next;
  }

  /** The tasks after a task; those behind the first {@link #MOST_TRIES} for null. */
  private List<TaskState> behind(@Nullable TaskState last) {
    if (ahead.size() <= MOST_TRIES) {
      return List.of();
    }
    Stream<TaskState> rest =
        last == null
            ? ahead.all().stream().skip(MOST_TRIES)
            : ahead.all().tailSet(last, false).stream();
    return rest.limit(MOST_TRIES).toList();
  }

  /** The last of a full list; null when no tasks follow. */
  private static @Nullable TaskState lastOf(List<TaskState> some) {
    return some.size() < MOST_TRIES ? null : some.get(MOST_TRIES - 1);
  }

  /**
   * Whether moving the missing bytes to the target takes less time than the task will still wait,
   * or than it has already waited for a busy worker. An urgent task always moves.
   */
  private boolean pays(TaskState task, WorkerState target) {
    WorkerState holder = task.worker();
    if (holder == null
        || holder == target
        || task.hasSecondCopyOn(target)
        || !target.canStart(task.needs())
        || !workers.allows(task, target.info().node())) {
      return false;
    }
    if (graph.isUrgent(task)) {
      return true;
    }
    double waited = (stepBuilder.now() - task.waitingSince()) / MILLIS_PER_SECOND;
    double most = Math.max(waited, waits.seconds(task, holder)) * readRate.rate();
    return task.missingOn(target.info().node(), caches, most) <= most;
  }
}
