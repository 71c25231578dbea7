package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Admits commands once there is room for them and for all earlier attempts. An attempt whose inputs
 * are still being fetched keeps its room, because the ApplicationMaster considers the earliest
 * attempts running and recalls only the later ones. A command that fits beside the earlier attempts
 * does not wait for them. Thread-safe.
 */
public final class ResourceGate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final NavigableMap<Long, ResourceNeeds> queue = new TreeMap<>();
  private final long memoryBytes;
  private int coresFree;
  private long memoryFree;
  private long tickets;

  public ResourceGate(int cores, long memoryBytes) {
    this.coresFree = cores;
    this.memoryBytes = memoryBytes;
    this.memoryFree = memoryBytes;
  }

  /** Returns a place in the queue, in the order of the calls. */
  public Ticket ticket(ResourceNeeds needs) {
    lock.lock();
    try {
      queue.put(++tickets, needs);
      return new Ticket(tickets, needs);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of threads that wait for room. */
  int waiting() {
    lock.lock();
    try {
      return lock.getWaitQueueLength(changed);
    } finally {
      lock.unlock();
    }
  }

  private enum State {
    WAITING,
    ADMITTED,
    RECALLED,
    LEFT
  }

  /** An attempt's place in the queue. */
  final class Ticket {

    private final long number;
    private final ResourceNeeds needs;
    private State state = State.WAITING;

    private Ticket(long number, ResourceNeeds needs) {
      this.number = number;
      this.needs = needs;
    }

    /**
     * Waits for room and occupies it until {@link #leave}.
     *
     * @return false when the attempt was recalled: its command must not start
     */
    boolean enter() throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (state == State.WAITING && !fits()) {
          changed.await();
        }
        if (state != State.WAITING) {
          return false;
        }
        state = State.ADMITTED;
        coresFree -= needs.cores();
        memoryFree -= needs.memoryBytes();
        leaveQueue();
        return true;
      } finally {
        lock.unlock();
      }
    }

    private void leaveQueue() {
      queue.remove(number);
      changed.signalAll();
    }

    /** Returns whether it fits beside the earlier attempts that have not started. */
    private boolean fits() {
      long cores = 0;
      long memory = 0;
      for (ResourceNeeds each : queue.headMap(number, true).values()) {
        cores += each.cores();
        memory += each.memoryBytes();
      }
      return cores <= coresFree && memory <= memoryFree;
    }

    /** Frees the room. Idempotent; afterwards the attempt cannot be recalled. */
    void leave() {
      lock.lock();
      try {
        if (state == State.ADMITTED) {
          coresFree += needs.cores();
          memoryFree += needs.memoryBytes();
        }
        if (state != State.RECALLED) {
          state = State.LEFT;
        }
        leaveQueue();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Prevents the command from starting.
     *
     * @return whether it had not started
     */
    boolean recall() {
      lock.lock();
      try {
        if (state != State.WAITING) {
          return state == State.RECALLED;
        }
        state = State.RECALLED;
        leaveQueue();
        return true;
      } finally {
        lock.unlock();
      }
    }

    /** Returns the memory that its command may use: what it needs, or else all of the worker's. */
    long memoryBytes() {
      return needs.memoryBytes() > 0 ? needs.memoryBytes() : memoryBytes;
    }

    /** Returns whether it was recalled. */
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
