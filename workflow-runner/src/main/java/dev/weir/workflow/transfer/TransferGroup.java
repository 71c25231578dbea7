package dev.weir.workflow.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Transfers of one attempt that end together. A transfer that still waits for a thread at {@link
 * #end} never runs, so removed files do not come back. Confined to one thread.
 */
final class TransferGroup {

  /** How long an interrupted HDFS call may take; the caller waits no longer for it. */
  private static final long MAX_WAIT_SECONDS = 10;

  private final ExecutorService pool;
  private final List<Future<?>> begun = new ArrayList<>();

  /** Running transfers hold its read lock. */
  private final ReadWriteLock running = new ReentrantReadWriteLock();

  private volatile boolean ended;

  TransferGroup(ExecutorService pool) {
    this.pool = pool;
  }

  /** Submits a transfer to the pool, which runs it unless the group has ended by then. */
  <T> Future<T> begin(Callable<T> transfer) {
    Future<T> future = pool.submit(() -> runUnlessEnded(transfer));
    begun.add(future);
    return future;
  }

  private <T> T runUnlessEnded(Callable<T> transfer) throws Exception {
    running.readLock().lock();
    try {
      if (ended) {
        throw new CancellationException();
      }
      return transfer.call();
    } finally {
      running.readLock().unlock();
    }
  }

  /**
   * Interrupts the running transfers and waits up to ten seconds until they have ended; no other
   * starts.
   */
  void end() throws InterruptedException {
    ended = true;
    begun.forEach(transfer -> transfer.cancel(true));
    if (running.writeLock().tryLock(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
      running.writeLock().unlock();
    }
  }
}
