package dev.weir.workflow.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of a worker's sandboxes. A sandbox that an attempt left clean is reused with a new
 * working directory and under a new name, so writes of a process that escaped its attempt do not
 * reach a later one. Thread-safe.
 */
public final class Sandboxes {

  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

  private final Path parent;
  private final DiscardedFiles discarded;
  private final AtomicLong numbers = new AtomicLong();
  private final Deque<Sandbox> clean = new ConcurrentLinkedDeque<>();

  public Sandboxes(Path parent, DiscardedFiles discarded) {
    this.parent = parent;
    this.discarded = discarded;
  }

  /**
   * Returns an empty sandbox.
   *
   * @throws IOException when none can be created
   */
  public Sandbox acquire() throws IOException {
    for (Sandbox used = clean.pollFirst(); used != null; used = clean.pollFirst()) {
      try {
        return used.renewed(nextLabel());
      } catch (IOException e) {
        LOG.debug("Cannot reuse a sandbox", e);
      }
    }
    return Sandbox.create(parent, nextLabel());
  }

  private String nextLabel() {
    return "attempt-" + numbers.incrementAndGet();
  }

  /** Takes a sandbox back after its attempt has ended. */
  public void release(Sandbox sandbox) {
    if (sandbox.empty(discarded)) {
      clean.addFirst(sandbox);
    }
  }
}
