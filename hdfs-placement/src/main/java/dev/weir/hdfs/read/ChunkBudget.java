package dev.weir.hdfs.read;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
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

  /** Weak, so that a stream that is never closed keeps no part of the budget. */
  @SuppressWarnings("ArrayAsKeyOfSetOrMap") // by identity
  private final Set<byte[]> buffers = Collections.newSetFromMap(new WeakHashMap<>());

  private final AtomicInteger threads = new AtomicInteger();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

  /** Creates a budget of its own, for tests. */
  ChunkBudget() {}

  public static ChunkBudget ofProcess() {
    return PROCESS;
  }

  /** How many buffers are in use. */
  public int buffersInUse() {
    synchronized (buffers) {
      return buffers.size();
    }
  }

  /** A buffer; null if the limit is reached or the heap is full. */
  byte @Nullable [] acquire(int limit) {
    synchronized (buffers) {
      if (buffers.size() >= limit) {
        return null;
      }
      try {
        byte[] buffer = new byte[StripedReadConfig.CHUNK_BYTES];
        buffers.add(buffer);
        return buffer;
      } catch (OutOfMemoryError e) {
        // Without a buffer the file is read as in stock HDFS.
        return null;
      }
    }
  }

  /** Returns a buffer that its owner does not use any more. */
  void release(byte[] buffer) {
    synchronized (buffers) {
      buffers.remove(buffer);
    }
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
