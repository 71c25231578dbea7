package dev.weir.hdfs.read;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The memory and threads of all striped reads of a process. Each chunk has one buffer and at most
 * one thread, so the number of buffers bounds both. No call waits. Thread-safe.
 */
public final class ChunkBudget {
  /** One for the process, because its heap and its threads are shared by all file systems. */
  private static final ChunkBudget PROCESS = new ChunkBudget();

  private final AtomicInteger buffers = new AtomicInteger();
  private final AtomicInteger threads = new AtomicInteger();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

  /** Creates a budget of its own, for tests. */
  ChunkBudget() {}

  /** The budget of this process. */
  public static ChunkBudget ofProcess() {
    return PROCESS;
  }

  /** How many buffers are in use. */
  public int buffersInUse() {
    return buffers.get();
  }

  /** A buffer; null if the limit is reached or the heap is full. */
  byte @Nullable [] acquire(int limit) {
    if (buffers.incrementAndGet() <= limit) {
      try {
        return new byte[StripedReadConfig.CHUNK_BYTES];
      } catch (OutOfMemoryError e) {
        // Without a buffer the file is read as in stock HDFS.
      }
    }
    buffers.decrementAndGet();
    return null;
  }

  /** Returns a buffer that its owner does not use any more. */
  void release() {
    buffers.decrementAndGet();
  }

  /** Runs a fetch in another thread; false if there is none. */
  boolean execute(Runnable fetch) {
    try {
      executor.execute(fetch);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The latter is also thrown if the process may not start more threads.
      return false;
    }
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-read-" + threads.incrementAndGet());
    thread.setDaemon(true);
    thread.setContextClassLoader(ChunkBudget.class.getClassLoader());
    return thread;
  }
}
