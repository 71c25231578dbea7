package dev.weir.workflow.worker;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** Injects failures into the calls of a test store. */
public final class InjectedFailures {

  private final Deque<IOException> next = new ConcurrentLinkedDeque<>();
  private volatile @Nullable IOException last;
  private volatile boolean cut;

  /** Lets the next call fail with this exception; several exceptions apply in order. */
  public void add(IOException failure) {
    next.add(failure);
  }

  /** Adds a failure unless it was the last one added by this method. */
  void addOnce(IOException failure) {
    if (last != failure) {
      last = failure;
      next.add(failure);
    }
  }

  /** From now on commits and removals are lost, as if the worker had died. */
  void cut() {
    cut = true;
  }

  /** Throws the next injected failure, if there is one. */
  public void check() throws IOException {
    IOException failure = next.poll();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Fails if the call would be lost: the worker is cut off, or the thread was interrupted. Like
   * HDFS's client, this keeps the interrupt status.
   */
  public void checkConnected() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Call interrupted");
    }
    if (cut) {
      throw new IOException("call lost on purpose");
    }
  }
}
