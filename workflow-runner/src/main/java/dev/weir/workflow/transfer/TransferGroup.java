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
 * Transfers of one attempt that end together: what is removed after {@link #end} does not come back
 * because one of them had waited for a thread. Begun and ended by one thread.
 */
final class TransferGroup {

  /** What an interrupted call of HDFS may take; longer than that nobody waits for a stopped one. */
  private static final long END_SECONDS = 10;

  private final ExecutorService pool;
  private final List<Future<?>> begun = new ArrayList<>();

  /** Held for reading by what runs. */
  private final ReadWriteLock running = new ReentrantReadWriteLock();

  private volatile boolean over;

  TransferGroup(ExecutorService pool) {
    this.pool = pool;
  }

  /** Has a thread of the pool do it, unless the group has ended by then. */
  <T> Future<T> begin(Callable<T> transfer) {
    Future<T> future = pool.submit(() -> unlessOver(transfer));
    begun.add(future);
    return future;
  }

  private <T> T unlessOver(Callable<T> transfer) throws Exception {
    running.readLock().lock();
    try {
      if (over) {
        throw new CancellationException();
      }
      return transfer.call();
    } finally {
      running.readLock().unlock();
    }
  }

  /**
   * Interrupts those that run and waits until none does, ten seconds at most; none begins any more.
   *
   * @throws InterruptedException when interrupted while it waits
   */
  void end() throws InterruptedException {
    over = true;
    begun.forEach(transfer -> transfer.cancel(true));
    if (running.writeLock().tryLock(END_SECONDS, TimeUnit.SECONDS)) {
      running.writeLock().unlock();
    }
  }
}
