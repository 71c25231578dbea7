package dev.weir.workflow.estimate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Links of nodes that flows share equally, in each direction. A flow gets the smaller of its shares
 * of the sender's and of the receiver's link. Not thread-safe.
 */
final class SharedLinks {

  /** Rounding error of a sum; less than a byte. */
  private static final double NOTHING = 1e-3;

  private final double bytesPerSecond;
  private final Set<Flow> flows = new LinkedHashSet<>();
  private final Map<String, Integer> sending = new HashMap<>();
  private final Map<String, Integer> receiving = new HashMap<>();
  private double now;
  private double moved;

  /** Bytes that move from one node to another. */
  private static final class Flow {
    private final String from;
    private final String to;
    private final Runnable whenOver;
    private double left;

    private Flow(String from, String to, double left, Runnable whenOver) {
      this.from = from;
      this.to = to;
      this.left = left;
      this.whenOver = whenOver;
    }
  }

  SharedLinks(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Starts a flow between two nodes. */
  void start(String from, String to, long bytes, Runnable whenOver) {
    Flow flow = new Flow(from, to, Math.max(1, bytes), whenOver);
    flows.add(flow);
    count(flow, 1);
  }

  private void count(Flow flow, int more) {
    sending.merge(flow.from, more, Integer::sum);
    receiving.merge(flow.to, more, Integer::sum);
  }

  /** How many flows leave a node. */
  int sentBy(String node) {
    return sending.getOrDefault(node, 0);
  }

  private double rate(Flow flow) {
    int sharing = Math.max(sentBy(flow.from), receiving.getOrDefault(flow.to, 0));
    return bytesPerSecond / Math.max(1, sharing);
  }

  /** When the next flow ends, in seconds; infinite if none does. */
  double nextEnd() {
    double next = Double.POSITIVE_INFINITY;
    for (Flow flow : flows) {
      double rate = rate(flow);
      if (rate > 0) {
        next = Math.min(next, now + flow.left / rate);
      }
    }
    return next;
  }

  /** Moves the bytes until a time, which is not after the next end, and ends the flows then. */
  void advance(double time) {
    double passed = time - now;
    now = time;
    List<Flow> over = new ArrayList<>();
    for (Flow flow : flows) {
      double bytes = Math.min(flow.left, rate(flow) * passed);
      flow.left -= bytes;
      moved += bytes;
      // A flow that would end within a nanosecond ends now; otherwise time may stand still.
      if (flow.left <= Math.max(NOTHING, bytesPerSecond * 1e-9)) {
        over.add(flow);
      }
    }
    over.forEach(flow -> count(flow, -1));
    over.forEach(flows::remove);
    over.forEach(flow -> flow.whenOver.run());
  }

  /** How many bytes have moved. */
  long moved() {
    return Math.round(moved);
  }
}
