package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.RunFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * How containers came to their ends, as far as YARN has said it, and how many took the place of
 * another: at some point there is none in asking for more. Thread-safe.
 */
final class ContainerEnds {

  private static final int SHOWN = 3;

  private final int most;
  private final Deque<String> last = new ArrayDeque<>();

  /** The nodes of containers of which nobody has said how they ended. */
  private final Map<ContainerId, String> open = new HashMap<>();

  private int replaced;

  /**
   * None has ended.
   *
   * @param most how many may be replaced
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

  /** Keeps the last few ends, for whoever has to find out why there are so many. */
  synchronized void ended(ContainerId id, String reason) {
    String node = open.remove(id);
    if (node != null) {
      last.addLast(id + " on " + node + " " + reason);
      if (last.size() > SHOWN) {
        last.removeFirst();
      }
    }
  }

  /**
   * Another is to take the place of one that is gone.
   *
   * @return false when there were too many before
   */
  synchronized boolean replace() {
    replaced++;
    return replaced <= most;
  }

  /** Counts those that are replaced from now on. */
  synchronized void forgive() {
    replaced = 0;
  }

  /** Why there is no point in asking for more, after this one. */
  synchronized RunFailure failure(ContainerId id, String node, String reason) {
    String details = last.isEmpty() ? "YARN has said nothing about them." : String.join("\n", last);
    return RunFailure.ofRun(
        "worker containers keep ending, "
            + replaced
            + " so far; the last was "
            + id
            + " on "
            + node
            + ": "
            + reason.lines().findFirst().orElse("nobody knows why")
            + "; see 'yarn logs -applicationId "
            + id.getApplicationAttemptId().getApplicationId()
            + "'",
        details);
  }
}
