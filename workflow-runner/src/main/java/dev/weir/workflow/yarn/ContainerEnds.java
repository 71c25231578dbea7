package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.RunFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * How containers came to their ends, as far as YARN has said it, and how many did since work was
 * last done: at some point there is none in asking for more. Thread-safe.
 */
final class ContainerEnds {

  private static final int SHOWN = 3;

  private final int most;
  private final Deque<String> last = new ArrayDeque<>();

  /** Containers of which nobody has said how they ended. */
  private final Map<ContainerId, Life> open = new HashMap<>();

  private long begun;
  private int counted;

  /**
   * How a container has ended, and on which node.
   *
   * @param life when that was
   */
  record End(ContainerId id, String node, String reason, EndCause cause, Life life) {}

  /**
   * From when to when a container was there.
   *
   * @param number counts containers, from 1, as they begin
   * @param last the number of the last one that had begun when this one was gone; 0 while it is not
   */
  record Life(String node, long number, long last) {

    /** Before all others. */
    static final Life NONE = new Life("", 0, 0);

    /** Whether it began after another was gone: what ended that one has not ended this one. */
    boolean isAfter(Life other) {
      return number > other.last;
    }

    private Life until(long end) {
      return last > 0 ? this : new Life(node, number, end);
    }
  }

  /**
   * None has ended.
   *
   * @param most how many may end without any work done meanwhile
   */
  ContainerEnds(int most) {
    this.most = most;
  }

  /** A container is there, on a node. */
  synchronized void began(ContainerId id, String node) {
    begun++;
    open.put(id, new Life(node, begun, 0));
  }

  /** It does not matter how a container ends. */
  synchronized void forget(ContainerId id) {
    open.remove(id);
  }

  /**
   * A container is gone, whoever saw it.
   *
   * @return whether nobody has said yet how it has ended
   */
  synchronized boolean missed(ContainerId id) {
    return open.computeIfPresent(id, (same, life) -> life.until(begun)) != null;
  }

  /** Whether a container was there and nobody has said yet that it has ended. */
  synchronized boolean isOpen(ContainerId id) {
    return open.containsKey(id);
  }

  /**
   * It is known how a container has ended. Keeps the last few ends, for whoever has to find out why
   * there are so many, and counts those that are not YARN's doing.
   *
   * @return the end; nothing when it was known before, or does not matter
   */
  synchronized Optional<End> ended(ContainerId id, String reason, EndCause cause) {
    Life life = open.remove(id);
    if (life == null) {
      return Optional.empty();
    }
    last.addLast(id + " on " + life.node() + " " + reason);
    if (last.size() > SHOWN) {
      last.removeFirst();
    }
    if (cause.isTheRuns()) {
      counted++;
    }
    return Optional.of(new End(id, life.node(), reason, cause, life.until(begun)));
  }

  /** Whether so many have ended that asking for more is no use. */
  synchronized boolean areTooMany() {
    return counted > most;
  }

  /** Counts those that end from now on: work was done. */
  synchronized void forgive() {
    counted = 0;
  }

  /** Why there is no point in asking for more, after this one. */
  synchronized RunFailure failure(End end) {
    return RunFailure.ofRun(
        "worker containers keep ending, "
            + counted
            + " since a task was last done, and no worker is left; the last was "
            + end.id()
            + " on "
            + end.node()
            + ": "
            + end.reason().lines().findFirst().orElse("nobody knows why")
            + "; see 'yarn logs -applicationId "
            + end.id().getApplicationAttemptId().getApplicationId()
            + "'",
        String.join("\n", last));
  }
}
