package dev.weir.workflow.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When the shells of a worker ended that should not have. One that ends alone was ended by its own
 * command, most likely; several at a time were ended by something that ends all shells of the user,
 * such as {@code killall bash} in one of the commands, and the others' are innocent. Thread-safe.
 */
final class ShellEnds {

  static final long TOGETHER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;

  /** Those of the last moment, oldest first. */
  private final Deque<End> recent = new ArrayDeque<>();

  /** The end of a shell; guarded by the one that made it. */
  static final class End {
    private final long nanos;
    private boolean together;

    private End(long nanos) {
      this.nanos = nanos;
    }
  }

  /**
   * None yet.
   *
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  ShellEnds(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A shell has ended just now. */
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
   * Whether another shell has ended within a second before or after; waits for that one.
   *
   * @throws InterruptedException when interrupted while it waits
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
