package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.AssignmentMatcher.Award;
import dev.weir.workflow.scheduler.TaskState.Status;
import dev.weir.workflow.scheduler.WorkerSet.Openings;
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
 * Which ready task goes to which worker. In the data-aware policy a worker gets the task with the
 * most bytes on its node, among equals, and where bytes are worth little or no node has more of the
 * other one ({@link RankPreference}), the one with the longest way to the end; where several
 * workers and several tasks could go together, as many bytes as possible are on the node of the
 * worker that reads them ({@link AssignmentMatcher}). A task that would do better to wait for a
 * busy worker is given to that ({@link PricedWait}). First come the tasks that can start at once,
 * then those that a worker is given ahead. Finding a pair costs the same however many tasks are
 * ready, unless many of them may not run where there is room.
 */
final class TaskScheduler {

  /** So many tasks that do not fit are passed over before the rest is left for the next event. */
  private static final int MOST_MISFITS = 256;

  /** What comes to wait for a busy worker leaves the others to be matched anew: once. */
  private static final int MOST_MATCHINGS = 2;

  /** So many tasks are looked at for a worker that could be given one ahead. */
  private static final int MOST_TRIES = 16;

  /**
   * A node with more ready tasks than this for each of its workers does not get to them soon:
   * others may take them ahead.
   */
  private static final int BACKLOG = 8;

  private final WorkflowState board;
  private final TaskQueue ready;
  private final WorkerSet crew;
  private final Assignments hands;
  private final Waits instead;
  private final RankPreference longer;

  /** Who gets a task ahead instead of a worker that could start it at once. */
  interface Waits {

    /** Returns the same worker where nobody does. */
    WorkerState place(TaskState task, WorkerState worker);
  }

  /** The last task that a worker was to keep room for; null before there was one. */
  private @Nullable TaskState waitsForRoom;

  /** How many cores may be given to tasks until others have their turn. */
  private double budget = Double.POSITIVE_INFINITY;

  /** A dealer of the tasks of a graph. */
  TaskScheduler(SchedulerContext scene) {
    this.board = scene.board();
    this.ready = board.ready();
    this.crew = scene.crew();
    this.hands = scene.hands();
    this.instead = board.waits ? new PricedWait(scene)::place : (task, worker) -> worker;
    this.longer = new RankPreference(scene);
  }

  /** The task is not ready any more afterwards. */
  private void assign(TaskState task, WorkerState worker) {
    budget -= task.cores;
    hands.give(task, worker);
  }

  private boolean isSpent(Openings open) {
    return budget <= 0 || open.isEmpty();
  }

  /** A possible assignment and the bytes it would read from its own node. */
  private record Offer(TaskState task, WorkerState worker, long localBytes) {}

  /**
   * Assigns what can start at once.
   *
   * @param cores so many may be given to tasks; the last one may take more than what is left
   */
  void deal(double cores) {
    budget = cores;
    if (!isSpent(crew.idle()) && !ready.isEmpty()) {
      dealUrgent();
      int matchings = 0;
      while (matchings < MOST_MATCHINGS && !dealMatched()) {
        matchings++;
      }
      dealLocal(crew.idle(), this::mayStart);
      dealRest(crew.idle(), this::mayStart);
    }
    budget = Double.POSITIVE_INFINITY;
  }

  /** Gives tasks that have just become ready ahead. */
  void dealAhead(List<TaskState> newlyReady) {
    for (TaskState task : newlyReady) {
      if (task.status == Status.READY && !crew.roomy().isEmpty()) {
        findPlace(task, crew.roomy(), this::mayWait);
      }
    }
  }

  /**
   * Gives a worker one task ahead.
   *
   * @param worker a roomy one
   * @return whether there was one for it
   */
  boolean fill(WorkerState worker) {
    boolean found = !ready.isEmpty() && board.isUrgent(ready.all().first());
    found = found && giveFirst(ready.all(), task -> task, worker);
    found = found || giveFirst(ready.on(worker.info.node()), LocalTask::task, worker);
    return found || giveFirst(ready.all(), task -> task, worker);
  }

  private <T> boolean giveFirst(
      Collection<T> candidates, Function<T, TaskState> taskOf, WorkerState worker) {
    int tries = 0;
    for (T candidate : candidates) {
      TaskState task = taskOf.apply(candidate);
      if (mayWait(task, worker)) {
        assign(orLonger(task, worker, this::mayHave), worker);
        return true;
      }
      if (++tries == MOST_TRIES) {
        return false;
      }
    }
    return false;
  }

  private boolean findPlace(TaskState task, Openings open, Rule rule) {
    WorkerState best = null;
    long most = -1;
    for (LocalTask place : task.places) {
      if (place.bytes() > most) {
        WorkerState worker = taker(task, open.on(place.host()), rule);
        best = worker == null ? best : worker;
        most = worker == null ? most : place.bytes();
      }
    }
    if (best == null && (task.places.isEmpty() || board.isUrgent(task))) {
      best = taker(task, open.all(), rule);
    }
    if (best != null) {
      assign(orLonger(task, best, rule), best);
    }
    return best != null;
  }

  /** What a worker gets that could have a task with bytes on its node. */
  private TaskState orLonger(TaskState near, WorkerState worker, Rule rule) {
    return longer.insteadOf(near, worker, other -> rule.allows(other, worker));
  }

  /**
   * Gives tasks that have waited for long to whoever has room, wherever their bytes are: in a graph
   * that grows there might always be others with more bytes on a node that comes free. One at a
   * time for which no room will do is given ahead all the same, and its worker begins nothing
   * before it that it is given later: smaller ones might always take the room of a large one.
   *
   * @param before tasks that have become ready before then have waited for long
   */
  void dealOverdue(long before) {
    int misfits = 0;
    TaskState next = ready.isEmpty() ? null : ready.all().first();
    while (next != null
        && next.readyMillis < before
        && (!crew.idle().isEmpty() || mayKeepRoom())
        && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      WorkerState worker = taker(task, crew.idle().all(), this::mayStart);
      if (worker != null) {
        assign(task, worker);
      } else {
        misfits++;
        if (mayKeepRoom()) {
          keepRoom(task);
        }
      }
    }
  }

  /**
   * Has a worker keep room for a large task that has waited for long, one at a time: smaller ones
   * of other graphs might always take the room that comes free.
   *
   * @param before tasks that have become ready before then have waited for long
   */
  void keepRoomForLarge(long before) {
    if (!mayKeepRoom()) {
      return;
    }
    int looked = 0;
    for (TaskState task : ready.all()) {
      if (++looked > MOST_MISFITS) {
        return;
      }
      if (task.readyMillis < before && isLarge(task)) {
        if (taker(task, crew.idle().all(), this::mayStart) == null) {
          keepRoom(task);
        }
        return;
      }
    }
  }

  /** Whether fewer such tasks fit in a worker than it has cores. */
  private boolean isLarge(TaskState task) {
    WorkerSize size = crew.workerSize();
    return size.share(task.needs) * size.cores() > 1;
  }

  private void keepRoom(TaskState task) {
    Openings open = crew.idle().isEmpty() ? crew.roomy() : crew.idle();
    WorkerState worker = taker(task, open.all(), this::mayWaitFor);
    if (worker != null) {
      waitsForRoom = task;
      assign(task, worker);
    }
  }

  private boolean mayKeepRoom() {
    boolean isKept = waitsForRoom != null && waitsForRoom.ahead;
    return !isKept && !(crew.idle().isEmpty() && crew.roomy().isEmpty());
  }

  /** What somebody wants first goes first, wherever its bytes are. */
  private void dealUrgent() {
    int misfits = 0;
    TaskState next = ready.all().first();
    while (next != null
        && board.isUrgent(next)
        && !isSpent(crew.idle())
        && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      misfits += findPlace(task, crew.idle(), this::mayStart) ? 0 : 1;
    }
  }

  /** Whether a worker may have a task. */
  private interface Rule {
    boolean allows(TaskState task, WorkerState worker);
  }

  private boolean mayStart(TaskState task, WorkerState worker) {
    return worker.canStart(task.needs) && mayHave(task, worker);
  }

  private boolean mayWaitFor(TaskState task, WorkerState worker) {
    return !worker.keepsRoom() && mayHave(task, worker);
  }

  private boolean mayHave(TaskState task, WorkerState worker) {
    return crew.allows(task, worker.info.node()) && !task.hasTwinOn(worker);
  }

  /** A task is given ahead only where it is best, or where it would come too late if best. */
  private boolean mayWait(TaskState task, WorkerState worker) {
    String node = worker.info.node();
    return crew.allows(task, node)
        && !task.hasTwinOn(worker)
        && (board.isUrgent(task) || !betterElsewhere(task, node));
  }

  private boolean betterElsewhere(TaskState task, String node) {
    long here = task.bytesOn(node);
    for (LocalTask place : task.places) {
      int workers = place.bytes() > here ? crew.workersOn(place.host()) : 0;
      if (workers > 0 && ready.on(place.host()).size() <= BACKLOG * workers) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where several nodes have room and tasks of their own, which of them gets which is decided for
   * all of them at once.
   *
   * @return whether that holds; or else a worker was to have a task that waits for another instead,
   *     and what was decided for the rest was not carried out
   */
  private boolean dealMatched() {
    Openings open = crew.idle();
    if (open.nodes().size() < 2 || ready.size() < 2 || !ready.isOfOnePriority()) {
      return true;
    }
    List<WorkerState> bidders = new ArrayList<>();
    for (String host : common(open)) {
      if (!ready.on(host).isEmpty()) {
        bidders.addAll(open.on(host));
      }
    }
    if (bidders.size() < 2) {
      return true;
    }
    List<Award> awards =
        new ArrayList<>(
            AssignmentMatcher.hold(bidders, ready::on, ready.size(), this::mayStartBeside));
    awards.sort(AssignmentMatcher.mostFirst(ready.order()));
    // Who gets another task instead gets it afterwards: somebody else may have it here.
    awards.removeIf(it -> orLonger(it.task(), it.worker(), this::mayStart) != it.task());
    for (Award award : awards) {
      if (isSpent(open)) {
        return true;
      }
      WorkerState place = instead.place(award.task(), award.worker());
      assign(award.task(), place);
      if (place != award.worker()) {
        return false;
      }
    }
    return true;
  }

  private boolean mayStartBeside(TaskState task, WorkerState worker, int cores, long memoryBytes) {
    return worker.canStartBeside(task.needs, cores, memoryBytes) && mayHave(task, worker);
  }

  /** The nodes with room, or those with tasks, whichever are fewer. */
  private Set<String> common(Openings open) {
    return open.nodes().size() <= ready.hosts().size() ? open.nodes() : ready.hosts();
  }

  private void dealLocal(Openings open, Rule rule) {
    Comparator<Offer> best =
        Comparator.comparingLong(Offer::localBytes)
            .reversed()
            .thenComparing(Offer::task, ready.order());
    PriorityQueue<Offer> offers = new PriorityQueue<>(best);
    for (String host : common(open)) {
      offer(host, open, rule).ifPresent(offers::add);
    }
    while (!offers.isEmpty() && !isSpent(open)) {
      Offer offer = offers.remove();
      if (isStillGood(offer, open, rule)) {
        assign(offer.task(), instead.place(offer.task(), offer.worker()));
      }
      offer(offer.worker().info.node(), open, rule).ifPresent(offers::add);
    }
  }

  private static boolean isStillGood(Offer offer, Openings open, Rule rule) {
    return offer.task().status == Status.READY
        && open.contains(offer.worker())
        && rule.allows(offer.task(), offer.worker());
  }

  private Optional<Offer> offer(String host, Openings open, Rule rule) {
    Set<WorkerState> there = open.on(host);
    if (there.isEmpty()) {
      return Optional.empty();
    }
    int misfits = 0;
    for (LocalTask place : ready.on(host)) {
      WorkerState worker = taker(place.task(), there, rule);
      if (worker != null) {
        Offer near = leaveToOthers(new Offer(place.task(), worker, place.bytes()), rule);
        TaskState task = orLonger(near.task(), worker, rule);
        return Optional.of(new Offer(task, worker, task.bytesOn(host)));
      }
      if (++misfits > MOST_MISFITS) {
        break;
      }
    }
    return Optional.empty();
  }

  /**
   * Of tasks that are equally good for a worker the one that is on the fewest of the nodes whose
   * workers are still to come.
   */
  private Offer leaveToOthers(Offer first, Rule rule) {
    TaskState best = first.task();
    int fewest = awaitedElsewhere(best);
    int tries = 0;
    for (LocalTask place : ready.on(first.worker().info.node())) {
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
    return new Offer(best, first.worker(), first.localBytes());
  }

  private static boolean isEqual(TaskState one, TaskState other) {
    return one.priority == other.priority && Double.compare(one.rank, other.rank) == 0;
  }

  private int awaitedElsewhere(TaskState task) {
    int awaited = 0;
    for (LocalTask place : task.places) {
      awaited += crew.mayGetWorker(place.host()) ? 1 : 0;
    }
    return awaited;
  }

  private static @Nullable WorkerState taker(TaskState task, Set<WorkerState> workers, Rule rule) {
    for (WorkerState worker : workers) {
      if (rule.allows(task, worker)) {
        return worker;
      }
    }
    return null;
  }

  /**
   * Tasks with no bytes where there is room. Tasks that may not run where they failed are no
   * misfits: passing over all of them costs time, and stopping at them could stop the run.
   */
  private void dealRest(Openings open, Rule rule) {
    int misfits = 0;
    TaskState next = ready.isEmpty() ? null : ready.all().first();
    while (next != null && !isSpent(open) && misfits <= MOST_MISFITS) {
      TaskState task = next;
      next = ready.all().higher(task);
      WorkerState worker = taker(task, open.all(), rule);
      if (worker != null) {
        assign(task, instead.place(task, worker));
      } else if (task.failedNodes().isEmpty()) {
        misfits++;
      }
    }
  }
}
