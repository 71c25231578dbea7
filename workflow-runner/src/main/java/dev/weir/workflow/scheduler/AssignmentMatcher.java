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
 * Matches workers with ready tasks so that as many input bytes as possible are local. A greedy
 * assignment, which gives each task to the node with most of it, can leave a worker without a local
 * task although another matching has one for it.
 *
 * <p>The matching is an auction (D. P. Bertsekas, <i>The auction algorithm: a distributed
 * relaxation method for the assignment problem</i>, Annals of Operations Research 14, 1988). The
 * value of a task for a worker is the bytes on the worker's node less the task's price, which
 * starts at 0. A worker takes the task with the highest value. If another worker has it, its price
 * rises by the lead over the second-best task and a small step. The worker that lost it bids again,
 * until no task has a positive value for it. Ties go to the task that comes first in the queue. A
 * taken task stays taken.
 *
 * <p>If each worker has room for one task, the local bytes are at most one part in {@link #STEPS}
 * fewer than in the best matching. With tasks of one size on up to {@code STEPS} workers, the
 * matching is the best. The number of bids is bounded. When the bound is reached, or when workers
 * have room for several tasks, nothing is promised.
 */
final class AssignmentMatcher {

  /** A price rises by at least this part of the task's bytes. */
  static final int STEPS = 64;

  /** How many tasks of a node a bid considers. */
  private static final int MOST_LOOKED_AT = 256;

  /** How many bids may take a task from another worker, per bidder. */
  private static final int BIDS_PER_BIDDER = 32;

  /** The least bound on such bids, for few workers. */
  private static final int LEAST_BIDS = 4_096;

  private final Function<String, ? extends Iterable<LocalTask>> tasksOn;
  private final Rule rule;
  private final int allTasks;
  private final Map<TaskState, Lot> lots = new HashMap<>();

  /** Number of taken tasks. */
  private int taken;

  /** Number of taken tasks that have more bytes on another node. */
  private int displaced;

  /** A task assigned to a worker, and its bytes on the worker's node. */
  record Award(TaskState task, WorkerState worker, long localBytes) {}

  /** Whether a worker may get a task beside others. */
  interface Rule {

    /**
     * Whether the worker may get the task.
     *
     * @param cores cores that other new tasks take of the worker's free cores
     * @param memoryBytes memory that they take
     */
    boolean allows(TaskState task, WorkerState worker, int cores, long memoryBytes);
  }

  /** A taken task; its worker may still change. */
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

  /** A worker and the tasks that it has taken so far. */
  private static final class Bidder {
    final WorkerState worker;
    final List<Lot> won = new ArrayList<>(1);
    int cores;
    long memoryBytes;

    Bidder(WorkerState worker) {
      this.worker = worker;
    }

    void take(Lot lot) {
      won.add(lot);
      cores += lot.task.needs().cores();
      memoryBytes += lot.task.needs().memoryBytes();
    }

    void lose(Lot lot) {
      won.remove(lot);
      cores -= lot.task.needs().cores();
      memoryBytes -= lot.task.needs().memoryBytes();
    }
  }

  /** The best task for a worker, and its lead over the second-best one. */
  private record Bid(LocalTask place, @Nullable Lot lot, double lead) {}

  private AssignmentMatcher(
      Function<String, ? extends Iterable<LocalTask>> tasksOn, Rule rule, int allTasks) {
    this.tasksOn = tasksOn;
    this.rule = rule;
    this.allTasks = allTasks;
  }

  /**
   * Matches workers with tasks. Changes no state.
   *
   * @param workers the bidders
   * @param tasksOn the tasks with bytes on a node, those with most first; ties in the order of the
   *     queue
   * @param allTasks the greatest number of different tasks on all nodes
   * @param rule which worker may get which task
   * @return each task at most once, in no particular order
   */
  static List<Award> match(
      Collection<WorkerState> workers,
      Function<String, ? extends Iterable<LocalTask>> tasksOn,
      int allTasks,
      Rule rule) {
    AssignmentMatcher auction = new AssignmentMatcher(tasksOn, rule, allTasks);
    List<Bidder> bidders = workers.stream().map(Bidder::new).toList();
    auction.runAuction(bidders);
    List<Award> awards = new ArrayList<>();
    for (Bidder bidder : bidders) {
      for (Lot lot : bidder.won) {
        awards.add(new Award(lot.task, bidder.worker, lot.bytes));
      }
    }
    return awards;
  }

  /** Orders awards by local bytes, most first; ties by the given order. */
  static Comparator<Award> mostFirst(Comparator<TaskState> order) {
    return Comparator.comparingLong(Award::localBytes).reversed().thenComparing(Award::task, order);
  }

  private void runAuction(List<Bidder> bidders) {
    // Free tasks are taken first; most auctions end after that.
    Queue<Bidder> losers = new ArrayDeque<>();
    for (Bidder bidder : bidders) {
      Optional<Bid> bid = bestBid(bidder);
      while (bid.isPresent() && bid.get().lot() == null) {
        take(bidder, bid.get());
        bid = bestBid(bidder);
      }
      if (bid.isPresent()) {
        losers.add(bidder);
      }
    }
    int left = Math.max(LEAST_BIDS, BIDS_PER_BIDDER * bidders.size());
    while (!losers.isEmpty() && left > 0 && !isBest()) {
      Bidder bidder = losers.remove();
      Optional<Bid> bid = bestBid(bidder);
      while (bid.isPresent() && left > 0) {
        Bidder loser = take(bidder, bid.get());
        if (loser != null) {
          losers.add(loser);
        }
        left--;
        bid = bestBid(bidder);
      }
    }
  }

  /**
   * Whether every task is taken where it has most bytes, so that no bid can improve the matching.
   */
  private boolean isBest() {
    return taken == allTasks && displaced == 0;
  }

  /** Returns the worker that loses the task; null when it was free. */
  private @Nullable Bidder take(Bidder bidder, Bid bid) {
    Lot lot = bid.lot();
    long bytes = bid.place().bytes();
    if (lot == null) {
      lot = new Lot(bid.place().task(), bidder, bytes);
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
    lot.price += bid.lead() + (double) bytes / STEPS;
    lot.holder = bidder;
    lot.bytes = bytes;
    bidder.take(lot);
    return loser;
  }

  private static boolean hasMoreElsewhere(TaskState task, long bytes) {
    for (LocalTask place : task.hostEntries()) {
      if (place.bytes() > bytes) {
        return true;
      }
    }
    return false;
  }

  private Optional<Bid> bestBid(Bidder bidder) {
    LocalTask best = null;
    Lot bestLot = null;
    double most = 0;
    double second = 0;
    int left = MOST_LOOKED_AT;
    for (LocalTask place : tasksOn.apply(bidder.worker.info().node())) {
      // Later tasks have no more bytes, so their value is not higher.
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
      // Ties go to a free task.
      if (worth > most || (worth == most && lot == null && bestLot != null)) {
        second = most;
        most = worth;
        best = place;
        bestLot = lot;
      } else {
        second = worth;
      }
    }
    return best == null ? Optional.empty() : Optional.of(new Bid(best, bestLot, most - second));
  }
}
