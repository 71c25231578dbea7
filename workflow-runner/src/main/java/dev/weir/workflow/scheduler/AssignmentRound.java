package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns what can be assigned after an event: wakes what has rested for long enough, gives ready
 * tasks to workers, and asks back what some have ahead when others have nothing to do, or begin
 * shorter ways. Not thread-safe.
 *
 * <p>Graphs share the workers. Those of the highest priority come first. Among graphs of one
 * priority the free cores are given out so that in the end each has as many cores in hand as the
 * others, as far as it has tasks for them; what is left then goes to whoever has tasks. Within a
 * graph its {@link TaskScheduler} chooses.
 */
final class AssignmentRound {

  /**
   * A job that has been ready for so long waits for no better place, and a large task of a graph
   * that shares the workers is kept room: others might always come before it.
   */
  private static final long OVERDUE_MILLIS = 30_000;

  private final SessionGraphs session;
  private final WorkerSet crew;
  private final Map<WorkflowState, GraphRun> runs;

  /** For a session that has not started. */
  AssignmentRound(SessionGraphs session, WorkerSet crew, Map<WorkflowState, GraphRun> runs) {
    this.session = session;
    this.crew = crew;
    this.runs = runs;
  }

  /** Ends graphs that are over, and assigns what can be of the others. */
  void round(boolean started, long now) {
    for (GraphRun run : runs.values()) {
      run.check();
    }
    if (started) {
      assign(now);
    }
  }

  /**
   * Time has passed: what has waited for too long is asked back, also where tasks are ready that
   * nobody who has room may have. To be called once a second or so: it looks at many pairs in vain.
   * Where a graph grows what a worker keeps room for stays with it as long as others are ready.
   */
  void recall() {
    for (GraphRun run : inOrder()) {
      if (!run.board.grows || run.board.ready().isEmpty()) {
        run.recaller.recall();
      }
    }
  }

  private List<GraphRun> inOrder() {
    List<GraphRun> order = new ArrayList<>();
    for (WorkflowState graph : session.inOrder()) {
      GraphRun run = runs.get(graph);
      if (run != null) {
        order.add(run);
      }
    }
    return order;
  }

  private void assign(long now) {
    crew.wake(now);
    List<GraphRun> order = inOrder();
    order.forEach(run -> run.board.wake(now));
    dealOverdue(order, now);
    order.forEach(GraphRun::overtake);
    dealIdle();
    dealAhead();
    for (GraphRun run : inOrder()) {
      if (run.board.ready().isEmpty()) {
        run.recaller.recall();
      }
    }
  }

  /** Of the highest priority alone: others wait for as long as that takes. */
  private void dealOverdue(List<GraphRun> order, long now) {
    boolean areSeveral = order.stream().filter(run -> !run.board.settled()).count() > 1;
    List<GraphRun> ready = withReady(order);
    for (GraphRun run : ready) {
      boolean isFirst = run.board.priority == ready.get(0).board.priority;
      if (isFirst && run.board.grows) {
        run.dealer.dealOverdue(now - OVERDUE_MILLIS);
      } else if (isFirst && areSeveral) {
        run.dealer.keepRoomForLarge(now - OVERDUE_MILLIS);
      }
    }
  }

  private static List<GraphRun> withReady(Collection<GraphRun> some) {
    return some.stream().filter(run -> !run.board.ready().isEmpty()).toList();
  }

  private void dealIdle() {
    List<GraphRun> ready = withReady(inOrder());
    int first = 0;
    while (first < ready.size() && !crew.idle().isEmpty()) {
      int end = first + 1;
      while (end < ready.size()
          && ready.get(end).board.priority == ready.get(first).board.priority) {
        end++;
      }
      List<GraphRun> equals = ready.subList(first, end);
      if (equals.size() > 1) {
        Map<GraphRun, Double> shares = shares(equals);
        equals.forEach(run -> run.dealer.deal(shares.getOrDefault(run, 0.0)));
      }
      equals.forEach(run -> run.dealer.deal(Double.POSITIVE_INFINITY));
      first = end;
    }
  }

  /**
   * How many of the free cores each of some graphs gets: those with the fewest in hand come up to
   * the next, and so on, until no core is free. A graph gets no more than its tasks take.
   *
   * @param equals those with the fewest cores in hand first
   */
  private Map<GraphRun, Double> shares(List<GraphRun> equals) {
    double free = 0;
    for (WorkerState worker : crew.idle().all()) {
      free += worker.freeCores();
    }
    Map<GraphRun, Double> shares = new HashMap<>();
    List<GraphRun> open = new ArrayList<>(equals);
    double level = equals.get(0).board.coresInHand;
    while (free > 0 && !open.isEmpty()) {
      // Up to where the next graph joins in, or one has enough, or no core is left.
      double next = Double.POSITIVE_INFINITY;
      List<GraphRun> rising = new ArrayList<>();
      for (GraphRun run : open) {
        int had = run.board.coresInHand;
        if (had <= level) {
          rising.add(run);
          next = Math.min(next, had + run.board.ready().cores());
        } else {
          next = Math.min(next, had);
        }
      }
      double to = Math.min(next, level + free / rising.size());
      free -= (to - level) * rising.size();
      level = to;
      for (GraphRun run : rising) {
        double share = level - run.board.coresInHand;
        shares.put(run, share);
        if (share >= run.board.ready().cores()) {
          open.remove(run);
        }
      }
      if (to < next) {
        return shares;
      }
    }
    return shares;
  }

  /**
   * Gives tasks ahead. Only what is new is looked at, the tasks that have become ready and the
   * workers whose hand has changed: for the others nothing was found before.
   */
  private void dealAhead() {
    Map<GraphRun, List<TaskState>> newlyReady = new HashMap<>();
    for (GraphRun run : inOrder()) {
      newlyReady.put(run, run.board.takeNewlyReady());
    }
    for (WorkerState worker : crew.takeChanged()) {
      boolean found = true;
      while (found && crew.roomy().contains(worker)) {
        found = false;
        for (GraphRun run : inOrder()) {
          found = found || run.dealer.fill(worker);
        }
      }
    }
    for (GraphRun run : inOrder()) {
      run.dealer.dealAhead(newlyReady.getOrDefault(run, List.of()));
    }
  }
}
