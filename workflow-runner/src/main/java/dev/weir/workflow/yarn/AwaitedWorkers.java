package dev.weir.workflow.yarn;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Tracks workers of an earlier ApplicationMaster that are expected to connect to this one.
 * Thread-safe.
 */
public final class AwaitedWorkers {

  private final Set<String> settled = new HashSet<>();
  private final Map<String, Long> missingReports = new HashMap<>();
  private final Set<String> awaited = new LinkedHashSet<>();
  private boolean canConnect;
  private boolean isClosed;

  /** Expects workers, except for those that are settled already. */
  public synchronized void expect(Collection<String> workers) {
    workers.stream().filter(worker -> !isClosed && !settled.contains(worker)).forEach(awaited::add);
    notifyAll();
  }

  /**
   * A worker has connected and listed its attempts in hand.
   *
   * @param reports number of reports that follow, which must arrive as well
   */
  public synchronized void connected(String worker, long reports) {
    if (reports == 0) {
      settled(worker);
    } else {
      missingReports.put(worker, reports);
    }
  }

  /** A worker has reported the end of an attempt. */
  public synchronized void reported(String worker) {
    Long left = missingReports.computeIfPresent(worker, (unused, reports) -> reports - 1);
    if (left != null && left == 0) {
      settled(worker);
    }
  }

  /** All reports of a worker have arrived, or it is lost: it is not awaited any more. */
  public synchronized void settled(String worker) {
    missingReports.remove(worker);
    settled.add(worker);
    awaited.remove(worker);
    notifyAll();
  }

  /** Workers can find this ApplicationMaster from now on. */
  public synchronized void canConnect() {
    canConnect = true;
    notifyAll();
  }

  /** No workers are needed any more. */
  public synchronized void close() {
    isClosed = true;
    awaited.clear();
    notifyAll();
  }

  /**
   * Waits until all are settled, none is needed, or the time is over. The time starts when workers
   * can find this ApplicationMaster: HDFS, which has its address, may be unavailable before.
   *
   * @param millis the longest wait from then on
   * @return workers that have not connected and are needed
   */
  public synchronized Set<String> await(long millis) throws InterruptedException {
    while (!canConnect && !awaited.isEmpty()) {
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
