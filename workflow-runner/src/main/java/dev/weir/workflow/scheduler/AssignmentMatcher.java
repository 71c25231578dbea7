package dev.weir.workflow.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which of several workers with room gets which of several tasks that have bytes on their nodes, so
 * that as many bytes as possible are on the node of the worker that reads them. Whoever gave the
 * tasks out one by one, each to the node with the most of it, would leave some worker without a
 * task of its own: all of its tasks went to others that could have had another one.
 *
 * <p>The workers bid for tasks (D. P. Bertsekas, <i>The auction algorithm: a distributed relaxation
 * method for the assignment problem</i>, Annals of Operations Research 14, 1988). A task is worth
 * its bytes on the worker's node, less its price, which is 0 until two workers want the task. A
 * worker takes what is worth most to it; who takes it from another raises its price by what it is
 * worth more than the second best, and a little. Who has lost a task bids again, and gives up when
 * nothing is worth anything any more. What is wanted first is taken first among equals, and a task
 * that somebody has taken is not left again.
 *
 * <p>Where each worker has room for one task the bytes that are read locally are at most one part
 * in {@link #STEPS} fewer than in the best assignment, and with tasks of one size on up to {@code
 * STEPS} workers there is no better one. The number of bids is bounded; when it is used up, or for
 * workers with room for several tasks, the assignment is a good one and no more is promised.
 */
final class AssignmentMatcher {

  /** A price rises by this part of what the task is worth to the bidder, at least. */
  static final int STEPS = 64;

  /** So many tasks of a node are looked at for a bid. */
  private static final int MOST_LOOKED_AT = 256;

  /** So many bids may take a task from another worker, for each worker that bids. */
  private static final int BIDS_PER_BIDDER = 32;

  /** So many may however few workers there are. */
  private static final int LEAST_BIDS = 4_096;

  private final Function<String, ? extends Iterable<LocalTask>> tasksOn;
  private final Rule rule;
  private final int allTasks;
  private final Map<TaskState, Lot> lots = new HashMap<>();

  /** Tasks that somebody has. */
  private int taken;

  /** Those of them that have more bytes on another node. */
  private int displaced;

  /** A task for a worker, and its bytes on the worker's node. */
  record Award(TaskState task, WorkerState worker, long localBytes) {}

  /** Whether a worker may have a task beside others. */
  interface Rule {

    /**
     * Whether it may.
     *
     * @param cores cores that other tasks take of what the worker has free
     * @param memoryBytes memory that they take
     */
    boolean allows(TaskState task, WorkerState worker, int cores, long memoryBytes);
  }

  /** A task that some worker has taken, for now. */
  private static final class Lot {
    final TaskState task;
    Bidder holder;
    long bytes;
    double price;

    Lot(TaskState task, Bidder holder, long bytes) {
      this.task = task;
      this.holder = holder;
      this.bytes = bytes;
    }
  }

  /** A worker and what it has taken, for now. */
  private static final class Bidder {
    final WorkerState worker;
    final List<Lot> hand = new ArrayList<>(1);
    int cores;
    long memoryBytes;

    Bidder(WorkerState worker) {
      this.worker = worker;
    }

    void take(Lot lot) {
      hand.add(lot);
      cores += lot.task.needs.cores();
      memoryBytes += lot.task.needs.memoryBytes();
    }

    void lose(Lot lot) {
      hand.remove(lot);
      cores -= lot.task.needs.cores();
      memoryBytes -= lot.task.needs.memoryBytes();
    }
  }

  /** What is worth most to a worker, by how much more than what comes second. */
  private record Wish(LocalTask place, @Nullable Lot lot, double lead) {}

  private AssignmentMatcher(
      Function<String, ? extends Iterable<LocalTask>> tasksOn, Rule rule, int allTasks) {
    this.tasksOn = tasksOn;
    this.rule = rule;
    this.allTasks = allTasks;
  }

  /**
   * Holds an auction; changes nothing.
   *
   * @param workers who bids
   * @param tasksOn the tasks with bytes on a node, those with the most first, among equals those
   *     that are wanted first
   * @param allTasks how many different tasks there are at most, on all nodes
   * @param rule who may have what
   * @return no task twice; no order is promised
   */
  static List<Award> hold(
      Collection<WorkerState> workers,
      Function<String, ? extends Iterable<LocalTask>> tasksOn,
      int allTasks,
      Rule rule) {
    AssignmentMatcher auction = new AssignmentMatcher(tasksOn, rule, allTasks);
    List<Bidder> bidders = workers.stream().map(Bidder::new).toList();
    auction.bid(bidders);
    List<Award> awards = new ArrayList<>();
    for (Bidder bidder : bidders) {
      for (Lot lot : bidder.hand) {
        awards.add(new Award(lot.task, bidder.worker, lot.bytes));
      }
    }
    return awards;
  }

  /** The pairs with the most bytes first; among equals what is wanted first. */
  static Comparator<Award> mostFirst(Comparator<TaskState> order) {
    return Comparator.comparingLong(Award::localBytes).reversed().thenComparing(Award::task, order);
  }

  private void bid(List<Bidder> bidders) {
    // What nobody has is taken first: most rounds are over then.
    Queue<Bidder> losers = new ArrayDeque<>();
    for (Bidder bidder : bidders) {
      Optional<Wish> wish = wish(bidder);
      while (wish.isPresent() && wish.get().lot() == null) {
        take(bidder, wish.get());
        wish = wish(bidder);
      }
      if (wish.isPresent()) {
        losers.add(bidder);
      }
    }
    int left = Math.max(LEAST_BIDS, BIDS_PER_BIDDER * bidders.size());
    while (!losers.isEmpty() && left > 0 && !isBest()) {
      Bidder bidder = losers.remove();
      Optional<Wish> wish = wish(bidder);
      while (wish.isPresent() && left > 0) {
        Bidder loser = take(bidder, wish.get());
        if (loser != null) {
          losers.add(loser);
        }
        left--;
        wish = wish(bidder);
      }
    }
  }

  /** Whether every task is where it has the most bytes: who has none goes without. */
  private boolean isBest() {
    return taken == allTasks && displaced == 0;
  }

  /** Returns who had it before; null when nobody had. */
  private @Nullable Bidder take(Bidder bidder, Wish wish) {
    Lot lot = wish.lot();
    long bytes = wish.place().bytes();
    if (lot == null) {
      lot = new Lot(wish.place().task(), bidder, bytes);
      lots.put(lot.task, lot);
      taken++;
      displaced += hasMoreElsewhere(lot.task, bytes) ? 1 : 0;
      bidder.take(lot);
      return null;
    }
    Bidder loser = lot.holder;
    loser.lose(lot);
    displaced += hasMoreElsewhere(lot.task, bytes) ? 1 : 0;
    displaced -= hasMoreElsewhere(lot.task, lot.bytes) ? 1 : 0;
    lot.price += wish.lead() + (double) bytes / STEPS;
    lot.holder = bidder;
    lot.bytes = bytes;
    bidder.take(lot);
    return loser;
  }

  private static boolean hasMoreElsewhere(TaskState task, long bytes) {
    for (LocalTask place : task.places) {
      if (place.bytes() > bytes) {
        return true;
      }
    }
    return false;
  }

  private Optional<Wish> wish(Bidder bidder) {
    LocalTask best = null;
    Lot bestLot = null;
    double most = 0;
    double second = 0;
    int left = MOST_LOOKED_AT;
    for (LocalTask place : tasksOn.apply(bidder.worker.info.node())) {
      // The rest has no more bytes, and nothing is worth more than these.
      boolean isFree = best != null && bestLot == null;
      if (left-- == 0 || place.bytes() < second || (isFree && place.bytes() == second)) {
        break;
      }
      Lot lot = lots.get(place.task());
      double worth = (double) place.bytes() - (lot == null ? 0 : lot.price);
      if (worth <= 0
          || worth < second
          || (lot != null && lot.holder == bidder)
          || !rule.allows(place.task(), bidder.worker, bidder.cores, bidder.memoryBytes)) {
        continue;
      }
      // Of equals what nobody has.
      if (worth > most || (worth == most && lot == null && bestLot != null)) {
        second = most;
        most = worth;
        best = place;
        bestLot = lot;
      } else {
        second = worth;
      }
    }
    return best == null ? Optional.empty() : Optional.of(new Wish(best, bestLot, most - second));
  }
}
