package dev.weir.yarn.lookup;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the threads that ask the NameNode. Idle threads end. */
public final class LookupThreads {

  /** {@link FairExecutor} shares its threads among users; the others examine nodes. */
  private static final int THREADS = FairExecutor.THREADS + 2;

  private static final int QUEUE = 10_000;

  private LookupThreads() {}

  /** Creates an executor that rejects tasks when its queue is full. */
  public static ExecutorService create() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE),
            task -> {
              Thread thread = new Thread(task, "weir-location-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
