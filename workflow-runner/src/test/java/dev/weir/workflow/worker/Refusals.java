package dev.weir.workflow.worker;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** Which calls a store for tests does not answer, and with what they fail instead. */
public final class Refusals {

  private final Deque<IOException> next = new ConcurrentLinkedDeque<>();
  private volatile @Nullable IOException last;
  private volatile boolean cut;

  /** The next call of whatever kind fails with this; several in their order. */
  public void add(IOException why) {
    next.add(why);
  }

  /** The same, if it was not the last that was added so. */
  void addOnce(IOException why) {
    if (last != why) {
      last = why;
      next.add(why);
    }
  }

  /** From now on nothing that commits or removes is heard, as of a worker that has died. */
  void cut() {
    cut = true;
  }

  /** Fails if this call is one that is to fail. */
  public void check() throws IOException {
    IOException why = next.poll();
    if (why != null) {
      throw why;
    }
  }

  /**
   * Fails if nobody would hear the call: of a worker that is cut off, or of a thread that was
   * interrupted, whose mark it leaves as HDFS's client does.
   */
  public void checkHeard() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Call interrupted");
    }
    if (cut) {
      throw new IOException("nobody hears it");
    }
  }
}
