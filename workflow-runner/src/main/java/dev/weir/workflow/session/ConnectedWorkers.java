package dev.weir.workflow.session;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** The connected workers, with a way to wait for their number. Thread-safe. */
final class ConnectedWorkers {

  private final Set<String> connected = new HashSet<>();

  /** A worker has connected. */
  synchronized void add(String worker) {
    connected.add(worker);
    notifyAll();
  }

  /** A worker has disconnected. */
  synchronized void remove(String worker) {
    connected.remove(worker);
    notifyAll();
  }

  synchronized int size() {
    return connected.size();
  }

  /** Makes waiting threads evaluate their condition again. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * Waits until enough workers are connected or the time is over.
   *
   * @param enough whether a number of workers is enough; evaluated after each change and after
   *     {@link #changed}
   * @param millis the longest to wait
   */
  synchronized void await(IntPredicate enough, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = end - System.nanoTime();
    while (left > 0 && !enough.test(connected.size())) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }
}
