package dev.weir.workflow.yarn;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Workers of an earlier ApplicationMaster that are to come to this one. Safe for any thread. */
public final class AwaitedWorkers {

  private final Set<String> settled = new HashSet<>();
  private final Map<String, Long> owed = new HashMap<>();
  private final Set<String> awaited = new LinkedHashSet<>();
  private boolean canCome;
  private boolean isOver;

  /** These are to come, except for those that are settled already. */
  public synchronized void expect(Collection<String> workers) {
    workers.stream().filter(worker -> !isOver && !settled.contains(worker)).forEach(awaited::add);
    notifyAll();
  }

  /**
   * A worker has come and said what it has in hand.
   *
   * @param reports how many reports of it follow, which have to be known as well
   */
  public synchronized void came(String worker, long reports) {
    if (reports == 0) {
      settled(worker);
    } else {
      owed.put(worker, reports);
    }
  }

  /** A worker has reported the end of an attempt. */
  public synchronized void reported(String worker) {
    Long left = owed.computeIfPresent(worker, (unused, reports) -> reports - 1);
    if (left != null && left == 0) {
      settled(worker);
    }
  }

  /** All of a worker is known, or it is gone: nobody waits for it any more. */
  public synchronized void settled(String worker) {
    owed.remove(worker);
    settled.add(worker);
    awaited.remove(worker);
    notifyAll();
  }

  /** They can find this ApplicationMaster, as far as they ever will. */
  public synchronized void canCome() {
    canCome = true;
    notifyAll();
  }

  /** Nobody needs workers any more. */
  public synchronized void over() {
    isOver = true;
    awaited.clear();
    notifyAll();
  }

  /**
   * Waits until all are settled, nobody needs them, or the time is over, which counts from when
   * they can come: HDFS, in which they look, may be away meanwhile.
   *
   * @param millis the longest to wait from then on
   * @return those that have not come and are needed
   */
  public synchronized Set<String> await(long millis) throws InterruptedException {
    while (!canCome && !awaited.isEmpty()) {
      wait();
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = end - System.nanoTime();
    while (left > 0 && !awaited.isEmpty()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    return Set.copyOf(awaited);
  }
}
