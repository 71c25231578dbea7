package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets commands begin when there is room for them and for all whose attempts came before: the room
 * of one whose inputs are still on their way is kept, for the ApplicationMaster takes those that
 * came first for running and asks back only the others. Those that have room beside it do not wait
 * for it. Thread-safe.
 */
public final class ResourceGate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();
  private final NavigableMap<Long, ResourceNeeds> line = new TreeMap<>();
  private int coresFree;
  private long memoryFree;
  private long tickets;

  /**
   * A gate.
   *
   * @param cores how many cores the commands share
   * @param memoryBytes how many bytes of memory they share
   */
  public ResourceGate(int cores, long memoryBytes) {
    this.coresFree = cores;
    this.memoryFree = memoryBytes;
  }

  /** A place in the line, in the order of the calls. */
  public Ticket ticket(ResourceNeeds needs) {
    lock.lock();
    try {
      line.put(++tickets, needs);
      return new Ticket(tickets, needs);
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for room. */
  int waiting() {
    lock.lock();
    try {
      return lock.getWaitQueueLength(change);
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
    private final ResourceNeeds needs;
    private State state = State.BEFORE;

    private Ticket(long number, ResourceNeeds needs) {
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
        while (state == State.BEFORE && !fits()) {
          change.await();
        }
        if (state != State.BEFORE) {
          return false;
        }
        state = State.INSIDE;
        coresFree -= needs.cores();
        memoryFree -= needs.memoryBytes();
        leaveLine();
        return true;
      } finally {
        lock.unlock();
      }
    }

    private void leaveLine() {
      line.remove(number);
      change.signalAll();
    }

    /** Beside those that came before it and have not begun. */
    private boolean fits() {
      long cores = 0;
      long memory = 0;
      for (ResourceNeeds each : line.headMap(number, true).values()) {
        cores += each.cores();
        memory += each.memoryBytes();
      }
      return cores <= coresFree && memory <= memoryFree;
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
        leaveLine();
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
        leaveLine();
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
