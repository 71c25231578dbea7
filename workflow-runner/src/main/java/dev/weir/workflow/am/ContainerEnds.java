package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.RunFailure;
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

  /** The nodes of containers of which nobody has said how they ended. */
  private final Map<ContainerId, String> open = new HashMap<>();

  private int counted;

  /** How a container has ended, and on which node. */
  record End(ContainerId id, String node, String reason, EndCause cause) {}

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
    open.put(id, node);
  }

  /** It does not matter how a container ends. */
  synchronized void forget(ContainerId id) {
    open.remove(id);
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
    String node = open.remove(id);
    if (node == null) {
      return Optional.empty();
    }
    last.addLast(id + " on " + node + " " + reason);
    if (last.size() > SHOWN) {
      last.removeFirst();
    }
    if (cause.isTheRuns()) {
      counted++;
    }
    return Optional.of(new End(id, node, reason, cause));
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
