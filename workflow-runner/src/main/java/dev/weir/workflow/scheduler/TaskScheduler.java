package dev.weir.workflow.scheduler;

import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.scheduler.AssignmentMatcher.Award;
import dev.weir.workflow.scheduler.TaskState.Status;
import dev.weir.workflow.scheduler.WorkerSet.WorkersByNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Assigns ready tasks to workers. In the data-aware policy a worker gets the task with most bytes
 * on its node. Ties go to the higher rank; so do tasks whose bytes save little, or of which no node
 * has more ({@link RankPreference}). When several workers and several tasks are free, {@link
 * AssignmentMatcher} maximises the bytes that are local. A task that should rather wait for a busy
 * worker is ahead there ({@link PricedWait}).
 *
 * <p>Tasks that can start at once are assigned first, then tasks ahead. The time to find a pair
 * does not depend on the number of ready tasks, unless many of them may not run on the free
 * workers.
 */
final class TaskScheduler {

  /** After this many tasks that do not fit, the rest waits for the next event. */
  private static final int MOST_MISFITS = 256;

  /** When a task comes to wait for a busy worker, the others are matched once more. */
  private static final int MOST_MATCHINGS = 2;

  /** How many tasks are tried for a worker that accepts one ahead. */
  private static final int MOST_TRIES = 16;

  /**
   * A node with more ready tasks per worker than this is busy for long, so other nodes may take its
   * tasks ahead.
   */
  private static final int BACKLOG = 8;

  private final WorkflowState graph;
  private final TaskQueue ready;
  private final WorkerSet workers;
  private final Assignments assignments;
  private final WaitPolicy waitPolicy;
  private final RankPreference rankPreference;
  private final ReadRate readRate;

  /**
   * Chooses a busy worker that gets a task ahead instead of a worker that could start it at once.
   */
  interface WaitPolicy {

    /** Returns the same worker when the task should not wait. */
    WorkerState place(TaskState task, WorkerState worker);
  }

  /** The last task for which a worker reserved room; null when there was none. */
  private @Nullable TaskState reservedTask;

  /** How many more cores tasks may get before it is another graph's turn. */
  private double coreBudget = Double.POSITIVE_INFINITY;

  TaskScheduler(SchedulerContext context) {
    this.graph = context.graph();
    this.ready = graph.ready();
    this.workers = context.workers();
    this.assignments = context.assignments();
    this.waitPolicy = graph.waits() ? new PricedWait(context)::place : (task, worker) -> worker;
    this.readRate = context.readRate();
    this.rankPreference = new RankPreference(context);
  }

  private void assign(TaskState task, WorkerState worker, Decision decision) {
    coreBudget -= task.cores();
    task.decide(decision, Math.round(readRate.rate()));
    assignments.assign(task, worker);
  }

  private boolean isSpent(WorkersByNode available) {
    return coreBudget <= 0 || available.isEmpty();
  }

  /** A possible assignment, and the bytes that it would read from its own node. */
  private record Candidate(TaskState task, WorkerState worker, long localBytes) {}

  /**
   * Assigns tasks that can start at once.
   *
   * @param cores how many cores tasks may get; the last task may exceed this
   */
  void assignReady(double cores) {
    coreBudget = cores;
    if (!isSpent(workers.idle()) && !ready.isEmpty()) {
      assignUrgent();
      int matchings = 0;
      while (matchings < MOST_MATCHINGS && !assignMatched()) {
        matchings++;
      }
      assignLocal(workers.idle(), this::mayStart);
      assignRest(workers.idle(), this::mayStart);
    }
    coreBudget = Double.POSITIVE_INFINITY;
  }

  /** Assigns newly ready tasks ahead. */
  void assignAhead(List<TaskState> newlyReady) {
    for (TaskState task : newlyReady) {
      if (task.status() == Status.READY && !workers.acceptingAhead().isEmpty()) {
        assignToBest(task, workers.acceptingAhead(), this::mayTakeAhead);
      }
    }
  }

  /**
   * Assigns a worker one task ahead.
   *
   * @param worker a worker that accepts one
   * @return whether a task was found
   */
  boolean fill(WorkerState worker) {
    boolean found = !ready.isEmpty() && graph.isUrgent(ready.all().first());
    found = found && assignFirst(ready.all(), task -> task, worker);
    found = found || assignFirst(ready.on(worker.info().node()), LocalTask::task, worker);
    return found || assignFirst(ready.all(), task -> task, worker);
  }

  private <T> boolean assignFirst(
      Collection<T> candidates, Function<T, TaskState> taskOf, WorkerState worker) {
    int tries = 0;
    for (T candidate : candidates) {
      TaskState task = taskOf.apply(candidate);
      if (mayTakeAhead(task, worker)) {
        assign(orHigherRank(task, worker, this::mayRun), worker, Decision.AHEAD);
        return true;
      }
      if (++tries == MOST_TRIES) {
        return false;
      }
    }
    return false;
  }

  private boolean assignToBest(TaskState task, WorkersByNode available, Rule rule) {
    WorkerState best = null;
    long most = -1;
    for (LocalTask place : task.hostEntries()) {
      if (place.bytes() > most) {
        WorkerState worker = firstAllowed(task, available.on(place.host()), rule);
        best = worker == null ? best : worker;
        most = worker == null ? most : place.bytes();
      }
    }
    if (best == null && (task.hostEntries().isEmpty() || graph.isUrgent(task))) {
      best = firstAllowed(task, available.all(), rule);
    }
    if (best != null) {
      TaskState chosen = orHigherRank(task, best, rule);
      assign(chosen, best, chosen == task ? bestReason(task) : Decision.HIGHER_RANK);
    }
    return best != null;
  }

  private Decision bestReason(TaskState task) {
    return graph.isUrgent(task)
        ? Decision.URGENT
        : task.hostEntries().isEmpty() ? Decision.FREE_WORKER : Decision.MOST_BYTES;
  }

  /** The task that a worker gets instead of one with bytes on its node. */
  private TaskState orHigherRank(TaskState near, WorkerState worker, Rule rule) {
    return rankPreference.insteadOf(near, worker, other -> rule.allows(other, worker));
  }

  /**
   * Assigns overdue tasks to any worker with room, wherever their bytes are: in a graph that grows,
   * others with more local bytes might always come first. If no worker has room for an overdue
   * task, it is assigned ahead, one such task at a time. Its worker starts no later task before it,
   * since smaller tasks might otherwise always take the room of a large one.
   *
   * @param before tasks that have been ready since before this time are overdue
   */
  void assignOverdue(long before) {
    int misfits = 0;
    TaskState next = ready.isEmpty() ? null : ready.all().first();
    while (next != null
        && next.readyMillis() < before
        && (!workers.idle().isEmpty() || mayReserveRoom())
        && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      WorkerState worker = firstAllowed(task, workers.idle().all(), this::mayStart);
      if (worker != null) {
        assign(task, worker, Decision.OVERDUE);
      } else {
        misfits++;
        if (mayReserveRoom()) {
          reserveRoom(task);
        }
      }
    }
  }

  /**
   * Reserves room on a worker for an overdue large task, one at a time: small tasks of other graphs
   * might otherwise always take the room that becomes free.
   *
   * @param before tasks that have been ready since before this time are overdue
   */
  void reserveRoomForLarge(long before) {
    if (!mayReserveRoom()) {
      return;
    }
    int looked = 0;
    for (TaskState task : ready.all()) {
      if (++looked > MOST_MISFITS) {
        return;
      }
      if (task.readyMillis() < before && isLarge(task)) {
        if (firstAllowed(task, workers.idle().all(), this::mayStart) == null) {
          reserveRoom(task);
        }
        return;
      }
    }
  }

  /** Whether a worker runs fewer such tasks at a time than it has cores. */
  private boolean isLarge(TaskState task) {
    WorkerSize size = workers.workerSize();
    return size.share(task.needs()) * size.cores() > 1;
  }

  private void reserveRoom(TaskState task) {
    WorkersByNode available = workers.idle().isEmpty() ? workers.acceptingAhead() : workers.idle();
    WorkerState worker = firstAllowed(task, available.all(), this::mayReserve);
    if (worker != null) {
      reservedTask = task;
      assign(task, worker, Decision.RESERVED);
    }
  }

  private boolean mayReserveRoom() {
    boolean isKept = reservedTask != null && reservedTask.isAhead();
    return !isKept && !(workers.idle().isEmpty() && workers.acceptingAhead().isEmpty());
  }

  /** Assigns tasks that a user put first, wherever their bytes are. */
  private void assignUrgent() {
    int misfits = 0;
    TaskState next = ready.all().first();
    while (next != null
        && graph.isUrgent(next)
        && !isSpent(workers.idle())
        && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      misfits += assignToBest(task, workers.idle(), this::mayStart) ? 0 : 1;
    }
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

  /**
   * Whether a worker may get a task ahead: only on its best node, unless that one is busy for long.
   */
  private boolean mayTakeAhead(TaskState task, WorkerState worker) {
    String node = worker.info().node();
    return workers.allows(task, node)
        && !task.hasSecondCopyOn(worker)
        && (graph.isUrgent(task) || !betterElsewhere(task, node));
  }

  private boolean betterElsewhere(TaskState task, String node) {
    long here = task.bytesOn(node);
    for (LocalTask place : task.hostEntries()) {
      int count = place.bytes() > here ? workers.workersOn(place.host()) : 0;
      if (count > 0 && ready.on(place.host()).size() <= BACKLOG * count) {
        return true;
      }
    }
    return false;
  }

  /**
   * Matches several workers with several tasks at once.
   *
   * @return false when a task was assigned to a busy worker, so that the rest must be matched again
   */
  private boolean assignMatched() {
    WorkersByNode available = workers.idle();
    if (available.nodes().size() < 2 || ready.size() < 2 || !ready.isOfOnePriority()) {
      return true;
    }
    List<WorkerState> bidders = new ArrayList<>();
    for (String host : common(available)) {
      if (!ready.on(host).isEmpty()) {
        bidders.addAll(available.on(host));
      }
    }
    if (bidders.size() < 2) {
      return true;
    }
    List<Award> awards =
        new ArrayList<>(
            AssignmentMatcher.match(bidders, ready::on, ready.size(), this::mayStartBeside));
    awards.sort(AssignmentMatcher.mostFirst(ready.order()));
    // A worker that prefers another task gets it later, so its award is free for others.
    awards.removeIf(it -> orHigherRank(it.task(), it.worker(), this::mayStart) != it.task());
    for (Award award : awards) {
      if (isSpent(available)) {
        return true;
      }
      WorkerState place = waitPolicy.place(award.task(), award.worker());
      assign(award.task(), place, place == award.worker() ? Decision.MATCHED : Decision.WAITED);
      if (place != award.worker()) {
        return false;
      }
    }
    return true;
  }

  private boolean mayStartBeside(TaskState task, WorkerState worker, int cores, long memoryBytes) {
    return worker.canStartBeside(task.needs(), cores, memoryBytes) && mayRun(task, worker);
  }

  /** The nodes of these workers, or the hosts of ready tasks, whichever are fewer. */
  private Set<String> common(WorkersByNode available) {
    return available.nodes().size() <= ready.hosts().size() ? available.nodes() : ready.hosts();
  }

  private void assignLocal(WorkersByNode available, Rule rule) {
    Comparator<Candidate> best =
        Comparator.comparingLong(Candidate::localBytes)
            .reversed()
            .thenComparing(Candidate::task, ready.order());
    PriorityQueue<Candidate> candidates = new PriorityQueue<>(best);
    for (String host : common(available)) {
      bestOn(host, available, rule).ifPresent(candidates::add);
    }
    while (!candidates.isEmpty() && !isSpent(available)) {
      Candidate candidate = candidates.remove();
      if (isStillAllowed(candidate, available, rule)) {
        WorkerState place = waitPolicy.place(candidate.task(), candidate.worker());
        assign(
            candidate.task(),
            place,
            place == candidate.worker() ? Decision.MOST_BYTES : Decision.WAITED);
      }
      bestOn(candidate.worker().info().node(), available, rule).ifPresent(candidates::add);
    }
  }

  private static boolean isStillAllowed(Candidate candidate, WorkersByNode available, Rule rule) {
    return candidate.task().status() == Status.READY
        && available.contains(candidate.worker())
        && rule.allows(candidate.task(), candidate.worker());
  }

  private Optional<Candidate> bestOn(String host, WorkersByNode available, Rule rule) {
    Set<WorkerState> there = available.on(host);
    if (there.isEmpty()) {
      return Optional.empty();
    }
    int misfits = 0;
    for (LocalTask place : ready.on(host)) {
      WorkerState worker = firstAllowed(place.task(), there, rule);
      if (worker != null) {
        Candidate near =
            leastAwaitedElsewhere(new Candidate(place.task(), worker, place.bytes()), rule);
        TaskState task = orHigherRank(near.task(), worker, rule);
        return Optional.of(new Candidate(task, worker, task.bytesOn(host)));
      }
      if (++misfits > MOST_MISFITS) {
        break;
      }
    }
    return Optional.empty();
  }

  /**
   * Of equally good tasks for a worker, the one that is on the fewest nodes that still expect
   * workers.
   */
  private Candidate leastAwaitedElsewhere(Candidate first, Rule rule) {
    TaskState best = first.task();
    int fewest = awaitedElsewhere(best);
    int tries = 0;
    for (LocalTask place : ready.on(first.worker().info().node())) {
      if (fewest == 0 || ++tries > MOST_TRIES || place.bytes() < first.localBytes()) {
        break;
      }
      TaskState other = place.task();
      int awaited = awaitedElsewhere(other);
      if (awaited < fewest && isEqual(best, other) && rule.allows(other, first.worker())) {
        best = other;
        fewest = awaited;
      }
    }
    return new Candidate(best, first.worker(), first.localBytes());
  }

  private static boolean isEqual(TaskState one, TaskState other) {
    return one.priority() == other.priority() && Double.compare(one.rank(), other.rank()) == 0;
  }

  private int awaitedElsewhere(TaskState task) {
    int awaited = 0;
    for (LocalTask place : task.hostEntries()) {
      awaited += workers.mayGetWorker(place.host()) ? 1 : 0;
    }
    return awaited;
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
  private void assignRest(WorkersByNode available, Rule rule) {
    int misfits = 0;
    TaskState next = ready.isEmpty() ? null : ready.all().first();
    while (next != null && !isSpent(available) && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      WorkerState worker = firstAllowed(task, available.all(), rule);
      if (worker != null) {
        WorkerState place = waitPolicy.place(task, worker);
        assign(task, place, place == worker ? Decision.FREE_WORKER : Decision.WAITED);
      } else if (task.failedNodes().isEmpty()) {
        misfits++;
      }
    }
  }
}
