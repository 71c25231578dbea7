package dev.weir.workflow.cache;

import dev.weir.workflow.hdfs.HdfsRetry;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * Locks shared by the processes of a node, as regions of one file, with two shared counters. The
 * kernel releases the locks of a dead process. They exclude threads of one process, too.
 *
 * <p>No thread waits in the kernel: an interrupt there would close the file and release the locks
 * of all threads.
 */
final class NodeLocks implements Closeable {

  /** The number of locks, numbered from 0. */
  static final int COUNT = 4096;

  private static final long FIRST_REGION = 4096;
  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 50;

  private final HdfsRetry.Sleeper sleeper;
  private final RandomAccessFile file;
  private final FileChannel channel;
  private final ReentrantLock[] threads =
      Stream.generate(ReentrantLock::new).limit(COUNT).toArray(ReentrantLock[]::new);

  /** Opens or creates the file. */
  NodeLocks(Path path) throws IOException {
    this(path, TimeUnit.MILLISECONDS::sleep);
  }

  NodeLocks(Path path, HdfsRetry.Sleeper sleeper) throws IOException {
    this.sleeper = sleeper;
    file = new RandomAccessFile(path.toFile(), "rw");
    channel = file.getChannel();
  }

  /** The lock could not be acquired, for another reason than that it is held. */
  static final class NoLockException extends IOException {

    private static final long serialVersionUID = 1L;

    NoLockException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * Waits for a lock and does work under it. Not reentrant.
   *
   * @throws InterruptedIOException when the thread is interrupted during the wait
   * @throws NoLockException when the lock cannot be acquired
   * @throws IOException from the work
   */
  <T> T holding(int number, CallableRaisingIOE<T> work) throws IOException {
    ReentrantLock thread = threads[number];
    try {
      thread.lockInterruptibly();
    } catch (InterruptedException e) {
      throw stopped();
    }
    try {
      FileLock process = await(number);
      try {
        return work.apply();
      } finally {
        process.release();
      }
    } finally {
      thread.unlock();
    }
  }

  private FileLock await(int number) throws IOException {
    try {
      long pause = FIRST_PAUSE_MILLIS;
      while (true) {
        FileLock lock = lock(number);
        if (lock != null) {
          return lock;
        }
        sleeper.sleep(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      throw stopped();
    } catch (IOException e) {
      throw new NoLockException(e);
    }
  }

  private static InterruptedIOException stopped() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while another worker of this node fetches");
  }

  /**
   * Does work if the lock is free, for this thread too.
   *
   * @return whether the work was done
   */
  boolean ifFree(int number, CallableRaisingIOE<?> work) throws IOException {
    ReentrantLock thread = threads[number];
    if (thread.isHeldByCurrentThread() || !thread.tryLock()) {
      return false;
    }
    try {
      FileLock process = lock(number);
      if (process == null) {
        return false;
      }
      try {
        work.apply();
        return true;
      } finally {
        process.release();
      }
    } finally {
      thread.unlock();
    }
  }

  private @Nullable FileLock lock(int number) throws IOException {
    return channel.tryLock(FIRST_REGION + number, 1, false);
  }

  /**
   * Reads a number; 0 when it was never written.
   *
   * @param index 0 or 1
   */
  synchronized long number(int index) throws IOException {
    long at = (long) index * Long.BYTES;
    if (file.length() < at + Long.BYTES) {
      return 0;
    }
    file.seek(at);
    return file.readLong();
  }

  /** Writes a number. */
  synchronized void number(int index, long value) throws IOException {
    file.seek((long) index * Long.BYTES);
    file.writeLong(value);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
