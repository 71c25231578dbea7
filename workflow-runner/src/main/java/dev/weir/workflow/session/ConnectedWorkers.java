package dev.weir.workflow.session;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** Which workers are there; their number can be waited for. Safe for any thread. */
final class ConnectedWorkers {

  private final Set<String> present = new HashSet<>();

  /** A worker has come. */
  synchronized void add(String worker) {
    present.add(worker);
    notifyAll();
  }

  /** A worker is gone. */
  synchronized void remove(String worker) {
    present.remove(worker);
    notifyAll();
  }

  synchronized int size() {
    return present.size();
  }

  /** Has those who wait look again: something else has changed. */
  synchronized void changed() {
    notifyAll();
  }

  /**
   * Waits until so many workers are there as will do, or the time is over.
   *
   * @param enough whether a number of workers will do; asked when one comes or goes, and after
   *     {@link #changed}
   * @param millis the longest to wait
   */
  synchronized void await(IntPredicate enough, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = end - System.nanoTime();
    while (left > 0 && !enough.test(present.size())) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }
}
