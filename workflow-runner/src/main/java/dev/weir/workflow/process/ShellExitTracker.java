package dev.weir.workflow.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Records the unexpected ends of a worker's shells. A shell that ends alone was probably ended by
 * its own command. Several at the same time were probably ended by one command that kills all
 * shells of the user, such as {@code killall bash}; the other commands did not cause it.
 * Thread-safe.
 */
final class ShellExitTracker {

  static final long TOGETHER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;

  /** The latest ends, oldest first. */
  private final Deque<End> recent = new ArrayDeque<>();

  /** The end of a shell; guarded by the {@link ShellExitTracker} that created it. */
  static final class End {
    private final long nanos;
    private boolean together;

    private End(long nanos) {
      this.nanos = nanos;
    }
  }

  /** Creates an empty record. */
  ShellExitTracker(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Records that a shell has just ended. */
  synchronized End add() {
    End end = new End(nanoTime.getAsLong());
    recent.removeIf(other -> end.nanos - other.nanos > TOGETHER_NANOS);
    recent.forEach(other -> other.together = true);
    end.together = !recent.isEmpty();
    recent.add(end);
    notifyAll();
    return end;
  }

  /**
   * Returns whether another shell has ended within a second before or after; waits until that is
   * known.
   */
  synchronized boolean isTogether(End end) throws InterruptedException {
    long left = TOGETHER_NANOS - (nanoTime.getAsLong() - end.nanos);
    while (!end.together && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = TOGETHER_NANOS - (nanoTime.getAsLong() - end.nanos);
    }
    return end.together;
  }
}
