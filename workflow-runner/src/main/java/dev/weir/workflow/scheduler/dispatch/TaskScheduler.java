package dev.weir.workflow.scheduler.dispatch;

import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.TaskQueue;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerSet.WorkersByNode;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assigns ready tasks to workers by one {@linkplain TaskScore score}. In the data-aware policy a
 * free worker gets the task with the highest score on its node. A task that should rather wait for
 * a busy worker is ahead there ({@link PricedWait}).
 *
 * <p>Tasks that can start at once are assigned first, then tasks ahead. The time to find a pair
 * does not depend on the number of ready tasks, unless many of them may not run on the free
 * workers.
 */
public final class TaskScheduler {

  /** After this many tasks that do not fit, the rest waits for the next event. */
  private static final int MOST_MISFITS = 256;

  /** How many tasks with bytes on a worker's node are compared for it, and how many others. */
  private static final int MOST_TRIES = 16;

  private final WorkflowState graph;
  private final TaskQueue ready;
  private final WorkerSet workers;
  private final @Nullable PricedWait waits;
  private final TaskScore score;

  /** The last task for which a worker reserved room; null when there was none. */
  private @Nullable TaskState reservedTask;

  /** How many more cores tasks may get before it is another graph's turn. */
  private double coreBudget = Double.POSITIVE_INFINITY;

  public TaskScheduler(WorkflowState graph, StartTimes times) {
    this.graph = graph;
    this.ready = graph.ready();
    this.workers = graph.session().workers();
    this.waits = graph.waits() ? new PricedWait(graph, times) : null;
    this.score = new TaskScore(graph);
  }

  private void assign(TaskState task, WorkerState worker, Decision decision) {
    coreBudget -= task.cores();
    task.decide(decision, Math.round(graph.session().readRate().rate()));
    graph.session().assignments().assign(task, worker);
  }

  private boolean isSpent(WorkersByNode available) {
    return coreBudget <= 0 || available.isEmpty();
  }

  /**
   * A possible assignment.
   *
   * @param alternatives how many nodes with idle workers have bytes of the task, plus how many
   *     tasks have bytes on the worker's node; of pairs with equal scores, the pair with the fewest
   *     goes first, so that more tasks find a worker on a node with their bytes
   */
  private record Candidate(TaskState task, WorkerState worker, double score, int alternatives) {

    static final Comparator<Candidate> BEST_FIRST =
        Comparator.<Candidate>comparingInt(it -> -it.task.priority())
            .thenComparingDouble(it -> -it.score)
            .thenComparingInt(it -> it.alternatives);

    boolean isBetterThan(@Nullable Candidate other) {
      return other == null || BEST_FIRST.compare(this, other) < 0;
    }
  }

  /**
   * Assigns tasks that can start at once.
   *
   * @param cores how many cores tasks may get; the last task may exceed this
   */
  public void assignReady(double cores) {
    coreBudget = cores;
    if (!isSpent(workers.idle()) && !ready.isEmpty()) {
      assignBest();
      assignRest();
    }
    coreBudget = Double.POSITIVE_INFINITY;
  }

  /** Assigns tasks ahead to the workers on the best nodes of newly ready tasks. */
  public void assignAhead(List<TaskState> newlyReady) {
    for (TaskState task : newlyReady) {
      if (task.status() == Status.READY) {
        WorkerState worker = workerAhead(task);
        if (worker != null) {
          fill(worker);
        }
      }
    }
  }

  /**
   * Assigns a worker one task ahead.
   *
   * @param worker a worker that accepts one
   * @return whether a task was found
   */
  public boolean fill(WorkerState worker) {
    Candidate best = best(worker.info().node(), Set.of(worker), this::mayTakeAhead);
    if (best != null) {
      assign(best.task(), worker, graph.isUrgent(best.task()) ? Decision.URGENT : Decision.AHEAD);
    }
    return best != null;
  }

  /** Returns a worker that may get a task ahead; null when none was found. */
  private @Nullable WorkerState workerAhead(TaskState task) {
    WorkersByNode available = workers.acceptingAhead();
    WorkerState worker = null;
    for (LocalTask place : task.hostEntries()) {
      if (worker == null) {
        worker = firstAllowed(task, available.on(place.host()), this::mayTakeAhead);
      }
    }
    return worker == null && (task.hostEntries().isEmpty() || graph.isUrgent(task))
        ? firstAllowed(task, available.all(), this::mayTakeAhead)
        : worker;
  }

  /**
   * Reserves room on a worker for an overdue large task, one at a time: small tasks might otherwise
   * always take the room that becomes free. The worker starts no later task before it.
   *
   * @param before tasks that have been ready since before this time are overdue
   */
  public void reserveRoom(long before) {
    boolean isKept = reservedTask != null && reservedTask.isAhead();
    TaskState task =
        ready.all().stream()
            .limit(isKept ? 0 : MOST_MISFITS)
            .filter(some -> some.readyMillis() < before && isLarge(some))
            .findFirst()
            .orElse(null);
    if (task == null || firstAllowed(task, workers.idle().all(), this::mayStart) != null) {
      return;
    }
    WorkersByNode available = workers.idle().isEmpty() ? workers.acceptingAhead() : workers.idle();
    WorkerState worker = firstAllowed(task, available.all(), this::mayReserve);
    if (worker != null) {
      reservedTask = task;
      assign(task, worker, Decision.RESERVED);
    }
  }

  /** Whether a worker runs fewer such tasks at a time than it has cores. */
  private boolean isLarge(TaskState task) {
    WorkerSize size = workers.workerSize();
    return size.share(task.needs()) * size.cores() > 1;
  }

  /** Whether a worker may get a task. */
  private interface Rule {
    boolean allows(TaskState task, WorkerState worker);
  }

  private boolean mayStart(TaskState task, WorkerState worker) {
    return worker.canStart(task.needs()) && mayRun(task, worker);
  }

  private boolean mayReserve(TaskState task, WorkerState worker) {
    return !worker.hasReservation() && mayRun(task, worker);
  }

  private boolean mayRun(TaskState task, WorkerState worker) {
    return workers.allows(task, worker.info().node()) && !task.hasSecondCopyOn(worker);
  }

  /** Whether a worker may get a task ahead: only if no other node with workers has more bytes. */
  private boolean mayTakeAhead(TaskState task, WorkerState worker) {
    String node = worker.info().node();
    return workers.allows(task, node)
        && !task.hasSecondCopyOn(worker)
        && (graph.isUrgent(task) || !betterElsewhere(task, node));
  }

  private boolean betterElsewhere(TaskState task, String node) {
    long here = task.bytesOn(node);
    for (LocalTask place : task.hostEntries()) {
      if (place.bytes() > here && !workers.ordinary().on(place.host()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Assigns tasks with bytes on the nodes of free workers, those with the highest score first. */
  private void assignBest() {
    WorkersByNode idle = workers.idle();
    PriorityQueue<Candidate> candidates =
        new PriorityQueue<>(Candidate.BEST_FIRST.thenComparing(Candidate::task, ready.order()));
    boolean fewNodes = idle.nodes().size() <= ready.hosts().size();
    for (String host : fewNodes ? idle.nodes() : ready.hosts()) {
      addBest(host, candidates);
    }
    while (!candidates.isEmpty() && !isSpent(idle)) {
      Candidate next = candidates.remove();
      TaskState task = next.task();
      if (task.status() == Status.READY
          && idle.contains(next.worker())
          && mayStart(task, next.worker())) {
        place(task, next.worker(), Decision.BEST_SCORE);
      }
      addBest(next.worker().info().node(), candidates);
    }
  }

  private void addBest(String host, Collection<Candidate> candidates) {
    Set<WorkerState> there = workers.idle().on(host);
    if (!there.isEmpty() && !ready.on(host).isEmpty()) {
      Candidate best = best(host, there, this::mayStart);
      if (best != null) {
        candidates.add(best);
      }
    }
  }

  /** Returns the highest score of the ready tasks that an idle worker may start. */
  public double bestScore(WorkerState worker) {
    Candidate best = best(worker.info().node(), Set.of(worker), this::mayStart);
    return best == null ? Double.NEGATIVE_INFINITY : best.score();
  }

  /**
   * Returns the best pair of a ready task and one of some workers of a node; null when no pair is
   * allowed.
   */
  private @Nullable Candidate best(String host, Set<WorkerState> there, Rule rule) {
    Candidate best = null;
    int misfits = 0;
    int tries = 0;
    for (LocalTask place : ready.on(host)) {
      Candidate other = candidate(place.task(), host, there, rule);
      best = other != null && other.isBetterThan(best) ? other : best;
      if (other == null ? ++misfits > MOST_MISFITS : ++tries == MOST_TRIES) {
        break;
      }
    }
    tries = 0;
    for (TaskState task : ready.all()) {
      Candidate other = candidate(task, host, there, rule);
      best = other != null && other.isBetterThan(best) ? other : best;
      if (++tries == MOST_TRIES) {
        break;
      }
    }
    return best;
  }

  private @Nullable Candidate candidate(
      TaskState task, String host, Set<WorkerState> there, Rule rule) {
    WorkerState worker = firstAllowed(task, there, rule);
    if (worker == null) {
      return null;
    }
    int alternatives = ready.on(host).size();
    for (LocalTask place : task.hostEntries()) {
      alternatives += workers.idle().on(place.host()).isEmpty() ? 0 : 1;
    }
    return new Candidate(task, worker, score.of(task, host), alternatives);
  }

  /** Assigns a task to a worker that can start it, or ahead to a better one. */
  private void place(TaskState task, WorkerState worker, Decision decision) {
    WorkerState place = waits == null ? worker : waits.place(task, worker);
    Decision here = graph.isUrgent(task) ? Decision.URGENT : decision;
    assign(task, place, place == worker ? here : Decision.WAITED);
  }

  private static @Nullable WorkerState firstAllowed(
      TaskState task, Set<WorkerState> workers, Rule rule) {
    for (WorkerState worker : workers) {
      if (rule.allows(task, worker)) {
        return worker;
      }
    }
    return null;
  }

  /**
   * Assigns tasks without bytes on the free nodes. Tasks that avoid nodes where they failed do not
   * count as misfits: stopping at them could stop the run.
   */
  private void assignRest() {
    int misfits = 0;
    TaskState next = ready.isEmpty() ? null : ready.all().first();
    while (next != null && !isSpent(workers.idle()) && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      WorkerState worker = firstAllowed(task, workers.idle().all(), this::mayStart);
      if (worker != null) {
        place(task, worker, Decision.FREE_WORKER);
      } else if (task.failedNodes().isEmpty()) {
        misfits++;
      }
    }
  }
}
