package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.api.RunFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Records how containers ended, as far as YARN has reported it, and counts ends since the last
 * completed task: beyond a limit it is useless to request more. Thread-safe.
 */
final class ContainerEnds {

  private static final int SHOWN = 3;

  private final int maxEnds;
  private final Deque<String> last = new ArrayDeque<>();

  /** Containers whose end YARN has not reported. */
  private final Map<ContainerId, Life> unreported = new HashMap<>();

  private long started;
  private int counted;

  /**
   * The end of a container.
   *
   * @param life when it existed
   */
  record End(ContainerId id, String node, String reason, EndCause cause, Life life) {}

  /**
   * The period in which a container existed.
   *
   * @param number numbers containers from 1 in the order of their starts
   * @param last number of the last container that had started when this one ended; 0 until then
   */
  record Life(String node, long number, long last) {

    /** Before all others. */
    static final Life NONE = new Life("", 0, 0);

    /**
     * Returns whether it started after another one had ended, so that they did not end of the same
     * event.
     */
    boolean isAfter(Life other) {
      return number > other.last;
    }

    private Life until(long end) {
      return last > 0 ? this : new Life(node, number, end);
    }
  }

  /**
   * Creates an empty record.
   *
   * @param maxEnds how many may end one after the other without a completed task
   */
  ContainerEnds(int maxEnds) {
    this.maxEnds = maxEnds;
  }

  synchronized void allocated(ContainerId id, String node) {
    started++;
    unreported.put(id, new Life(node, started, 0));
  }

  /** The end of this container does not matter. */
  synchronized void forget(ContainerId id) {
    unreported.remove(id);
  }

  /**
   * A container is lost, whichever side detected it.
   *
   * @return whether YARN has not reported its end yet
   */
  synchronized boolean lost(ContainerId id) {
    return unreported.computeIfPresent(id, (same, life) -> life.until(started)) != null;
  }

  /** Returns whether a container was allocated and YARN has not reported its end. */
  synchronized boolean isOpen(ContainerId id) {
    return unreported.containsKey(id);
  }

  /**
   * Records how a container has ended. Keeps the last few ends to explain a failure, and counts
   * those that YARN did not cause.
   *
   * @return the end; empty when it was known before, or does not matter
   */
  synchronized Optional<End> ended(ContainerId id, String reason, EndCause cause) {
    Life life = unreported.remove(id);
    if (life == null) {
      return Optional.empty();
    }
    last.addLast(id + " on " + life.node() + " " + reason);
    if (last.size() > SHOWN) {
      last.removeFirst();
    }
    if (cause.countsAgainstRun()) {
      counted++;
    }
    return Optional.of(new End(id, life.node(), reason, cause, life.until(started)));
  }

  /** Returns whether too many have ended to request more. */
  synchronized boolean areTooMany() {
    return counted > maxEnds;
  }

  /** Restarts the count, because a task was completed. */
  synchronized void resetCount() {
    counted = 0;
  }

  /** Returns the failure of a run whose containers keep ending, after this one. */
  synchronized RunFailure failure(End end) {
    return RunFailure.ofRun(
        "worker containers keep ending, "
            + counted
            + " since the last completed task, and no worker is left; the last was "
            + end.id()
            + " on "
            + end.node()
            + ": "
            + end.reason().lines().findFirst().orElse("no reason is known")
            + "; see 'yarn logs -applicationId "
            + end.id().getApplicationAttemptId().getApplicationId()
            + "'",
        String.join("\n", last));
  }
}
