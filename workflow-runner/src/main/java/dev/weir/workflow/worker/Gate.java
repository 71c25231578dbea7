package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Needs;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets commands begin when there is room for them: of those whose inputs are there, the one whose
 * attempt came first; a small one does not overtake a large one that waits. Thread-safe.
 */
final class Gate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();
  private final TreeSet<Long> waiting = new TreeSet<>();
  private int coresFree;
  private long memoryFree;
  private long tickets;

  /**
   * A gate.
   *
   * @param cores how many cores the commands share
   * @param memoryBytes how many bytes of memory they share
   */
  Gate(int cores, long memoryBytes) {
    this.coresFree = cores;
    this.memoryFree = memoryBytes;
  }

  /** A place in the line, in the order of the calls. */
  Ticket ticket(Needs needs) {
    lock.lock();
    try {
      return new Ticket(++tickets, needs);
    } finally {
      lock.unlock();
    }
  }

  /** How many are in line. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private enum State {
    BEFORE,
    INSIDE,
    RECALLED,
    OVER
  }

  /** An attempt's place in the line. */
  final class Ticket {

    private final long number;
    private final Needs needs;
    private State state = State.BEFORE;

    private Ticket(long number, Needs needs) {
      this.number = number;
      this.needs = needs;
    }

    /**
     * Waits for room and takes it, until {@link #leave}.
     *
     * @return false when the attempt was recalled: its command must not begin
     */
    boolean enter() throws InterruptedException {
      lock.lockInterruptibly();
      try {
        waiting.add(number);
        while (state == State.BEFORE && !(waiting.first() == number && fits())) {
          change.await();
        }
        if (state != State.BEFORE) {
          return false;
        }
        state = State.INSIDE;
        coresFree -= needs.cores();
        memoryFree -= needs.memoryBytes();
        return true;
      } finally {
        waiting.remove(number);
        change.signalAll();
        lock.unlock();
      }
    }

    private boolean fits() {
      return needs.cores() <= coresFree && needs.memoryBytes() <= memoryFree;
    }

    /** Gives the room back. Idempotent; after it nothing can be recalled. */
    void leave() {
      lock.lock();
      try {
        if (state == State.INSIDE) {
          coresFree += needs.cores();
          memoryFree += needs.memoryBytes();
        }
        if (state != State.RECALLED) {
          state = State.OVER;
        }
        change.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Keeps the command from beginning.
     *
     * @return whether it had not begun
     */
    boolean recall() {
      lock.lock();
      try {
        if (state != State.BEFORE) {
          return state == State.RECALLED;
        }
        state = State.RECALLED;
        change.signalAll();
        return true;
      } finally {
        lock.unlock();
      }
    }

    /** Whether it was recalled. */
    boolean recalled() {
      lock.lock();
      try {
        return state == State.RECALLED;
      } finally {
        lock.unlock();
      }
    }
  }
}
