package dev.weir.yarn.lookup;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that ask the NameNode. They end when there is nothing to do. */
public final class LookupThreads {

  /** Those that look files up take turns among users; the rest look at nodes meanwhile. */
  private static final int THREADS = FairExecutor.THREADS + 2;

  private static final int QUEUE = 10_000;

  private LookupThreads() {}

  /** Refuses what does not fit into its queue. */
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
