package dev.weir.workflow.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandboxes of a worker. Those that an attempt left clean are used again, with a new working
 * directory and under a new name: what a process that has escaped from its attempt writes into its
 * old one is nobody's. Thread-safe.
 */
public final class Sandboxes {

  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

  private final Path parent;
  private final DiscardedFiles leavings;
  private final AtomicLong numbers = new AtomicLong();
  private final Deque<Sandbox> clean = new ConcurrentLinkedDeque<>();

  /**
   * None yet.
   *
   * @param parent where they live; made when it does not exist
   * @param leavings takes what attempts leave
   */
  public Sandboxes(Path parent, DiscardedFiles leavings) {
    this.parent = parent;
    this.leavings = leavings;
  }

  /**
   * A sandbox with nothing in it.
   *
   * @throws IOException when none can be made
   */
  public Sandbox take() throws IOException {
    for (Sandbox used = clean.pollFirst(); used != null; used = clean.pollFirst()) {
      try {
        return used.renewed(nextLabel());
      } catch (IOException e) {
        LOG.debug("A sandbox is gone", e);
      }
    }
    return Sandbox.create(parent, nextLabel());
  }

  private String nextLabel() {
    return "attempt-" + numbers.incrementAndGet();
  }

  /** Takes one back that nobody uses any more. */
  public void giveBack(Sandbox sandbox) {
    if (sandbox.empty(leavings)) {
      clean.addFirst(sandbox);
    }
  }
}
