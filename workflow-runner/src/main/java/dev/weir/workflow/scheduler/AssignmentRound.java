package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.dispatch.LookAheadRecall;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Assigns tasks after each event: makes delayed tasks ready, assigns ready tasks to workers, and
 * takes tasks ahead back for idle workers. Not thread-safe.
 *
 * <p>Graphs share the workers. Graphs of the highest priority come first. Graphs of the same
 * priority share the free cores so that each has equally many cores in the end, as far as it has
 * tasks for them. The remaining cores go to any graph with tasks. {@code TaskScheduler} chooses the
 * tasks of a graph.
 */
final class AssignmentRound {

  /** After this time a large task gets a reservation: small ones might always come before it. */
  private static final long OVERDUE_MILLIS = 30_000;

  private final SessionGraphs session;
  private final WorkerSet workers;
  private final DedicatedTasks dedicated;

  AssignmentRound(SessionGraphs session, DedicatedTasks dedicated) {
    this.session = session;
    this.workers = session.state.workers();
    this.dedicated = dedicated;
  }

  /** Checks graphs whose tasks are settled, and assigns tasks once the session has started. */
  void round(boolean started, long now) {
    session.all().forEach(GraphRun::check);
    if (started) {
      assign(now);
    }
  }

  /**
   * Takes back tasks ahead that have waited too long, even while tasks are ready that no free
   * worker may run. To be called about once a second, because it looks at all pairs. In a graph
   * that grows, a task with a reservation stays on its worker while others are ready.
   */
  void recall() {
    for (GraphRun run : session.inOrder()) {
      if (!run.graph.grows() || run.graph.ready().isEmpty()) {
        run.lookAheadRecall.recall(Integer.MAX_VALUE);
      }
    }
  }

  private void assign(long now) {
    workers.expireAvoided(now);
    // Graphs that have ended release their reservations, too.
    session.all().forEach(run -> run.lookAheadRecall.settle());
    List<GraphRun> order = session.inOrder();
    order.forEach(run -> run.graph.readyTasks().offerDelayed(now));
    dedicated.assign();
    List<GraphRun> ready = withReady(order);
    reserveRoom(order, ready, now);
    ready.stream()
        .filter(run -> run.graph.priority() == ready.get(0).graph.priority())
        .forEach(GraphRun::recallByScore);
    assignToIdle();
    assignAhead();
    for (GraphRun run : session.inOrder()) {
      if (run.graph.ready().isEmpty()) {
        run.lookAheadRecall.recall(LookAheadRecall.MOST_TRIES);
      }
    }
  }

  /** Reserves room for tasks of the highest priority that others might always come before. */
  private static void reserveRoom(List<GraphRun> order, List<GraphRun> ready, long now) {
    boolean areSeveral = order.stream().filter(run -> !run.graph.settled()).count() > 1;
    for (GraphRun run : ready) {
      if (run.graph.priority() == ready.get(0).graph.priority()
          && (areSeveral || run.graph.grows())) {
        run.scheduler.reserveRoom(now - OVERDUE_MILLIS);
      }
    }
  }

  private static List<GraphRun> withReady(Collection<GraphRun> some) {
    return some.stream().filter(run -> !run.graph.ready().isEmpty()).toList();
  }

  private void assignToIdle() {
    List<GraphRun> ready = withReady(session.inOrder());
    int first = 0;
    while (first < ready.size() && !workers.idle().isEmpty()) {
      int end = first + 1;
      while (end < ready.size()
          && ready.get(end).graph.priority() == ready.get(first).graph.priority()) {
        end++;
      }
      List<GraphRun> equals = ready.subList(first, end);
      if (equals.size() > 1) {
        Map<GraphRun, Integer> shares = shares(equals);
        equals.forEach(run -> run.scheduler.assignReady(shares.getOrDefault(run, 0)));
      }
      equals.forEach(run -> run.scheduler.assignReady(Double.POSITIVE_INFINITY));
      first = end;
    }
  }

  /**
   * Shares the free cores between graphs of the same priority: the graph with the fewest cores gets
   * the next one, as long as its ready tasks need more.
   */
  private Map<GraphRun, Integer> shares(List<GraphRun> equals) {
    Map<GraphRun, Integer> shares = new HashMap<>();
    PriorityQueue<GraphRun> fewestFirst =
        new PriorityQueue<>(
            Comparator.comparingInt(
                run -> run.graph.assignedCores() + shares.getOrDefault(run, 0)));
    fewestFirst.addAll(equals);
    int free = workers.idle().all().stream().mapToInt(WorkerState::freeCores).sum();
    for (; free > 0 && !fewestFirst.isEmpty(); free--) {
      GraphRun run = fewestFirst.remove();
      if (shares.merge(run, 1, Integer::sum) < run.graph.ready().cores()) {
        fewestFirst.add(run);
      }
    }
    return shares;
  }

  /**
   * Assigns tasks ahead. Looks only at newly ready tasks and at workers whose tasks have changed;
   * no pair was found for the others before.
   */
  private void assignAhead() {
    Map<GraphRun, List<TaskState>> newlyReady = new HashMap<>();
    for (GraphRun run : session.inOrder()) {
      newlyReady.put(run, run.graph.readyTasks().takeNewlyReady());
    }
    for (WorkerState worker : workers.takeChanged()) {
      boolean found = true;
      while (found && workers.acceptingAhead().contains(worker)) {
        found = false;
        for (GraphRun run : session.inOrder()) {
          found = found || run.scheduler.fill(worker);
        }
      }
    }
    for (GraphRun run : session.inOrder()) {
      run.scheduler.assignAhead(newlyReady.getOrDefault(run, List.of()));
    }
  }
}
