package dev.weir.workflow.yarn;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which nodes get workers: each its share, and for a while none where containers keep ending. YARN
 * is told. Not thread-safe.
 */
final class WorkerNodes {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerNodes.class);

  /** So many in a row, without a task done on the node, are not bad luck. */
  static final int ENDS = 3;

  /**
   * Whoever watches over the node may have put it right by then. One more end and it is avoided
   * again.
   */
  static final long REST_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private final int workers;
  private final Map<String, Integer> present = new HashMap<>();
  private final Set<String> full = new HashSet<>();

  /** Of each node what has ended there since a task was last done. */
  private final Map<String, Row> ends = new HashMap<>();

  /** Nodes that are avoided for that, and until when. */
  private final Map<String, Long> sick = new HashMap<>();

  /** Nodes of which the user knows already. */
  private final Set<String> noted = new HashSet<>();

  private Containers yarn;

  /**
   * Containers of a node that have ended, each begun after the one before was gone: what ends
   * several at once, such as a link that is down, counts once.
   */
  private record Row(int length, ContainerEnds.Life last) {

    private static final Row NONE = new Row(0, ContainerEnds.Life.NONE);
  }

  /**
   * None has any.
   *
   * @param workers how many there are to be at most
   */
  @SuppressWarnings("NullAway.Init") // YARN is there only after its call-back handler
  WorkerNodes(int workers) {
    this.workers = workers;
  }

  /** Says whom to tell; to be called before all others. */
  void open(Containers of) {
    yarn = of;
  }

  /**
   * YARN may have been told to avoid a node, by an earlier ApplicationMaster whose workers are
   * kept, and goes on with that: whatever it was for is counted anew.
   */
  void inherit(String node) {
    yarn.avoidNoLonger(node);
  }

  /** Whether a node may have another worker. */
  boolean takes(String node) {
    return !sick.containsKey(node) && present.getOrDefault(node, 0) < share();
  }

  /** The most workers of one node when they are spread evenly. */
  private int share() {
    int others = Math.max(1, yarn.nodes() - sick.size());
    return (workers + others - 1) / others;
  }

  /** YARN wants to give a container on a node that takes none. */
  void refuse(String node) {
    if (!sick.containsKey(node) && full.add(node)) {
      yarn.avoid(node);
    }
  }

  /** A node has one more. */
  void add(String node) {
    present.merge(node, 1, Integer::sum);
  }

  /** One of a node's is gone, which makes room. */
  void leave(String node) {
    present.merge(node, -1, Integer::sum);
    if (full.remove(node)) {
      yarn.avoidNoLonger(node);
    }
  }

  /**
   * A task was done on a node: what has ended there says nothing. That does not hold for one that
   * is avoided, whose workers are all of before it was: that they are well was so then, too.
   */
  void worked(String node) {
    if (!sick.containsKey(node)) {
      ends.remove(node);
    }
  }

  /** A node is not what it was: what has ended there says nothing. */
  private void clear(String node) {
    ends.remove(node);
    if (sick.remove(node) != null) {
      yarn.avoidNoLonger(node);
    }
  }

  /**
   * A container has ended, and its node may be the reason. No more than half of the cluster's nodes
   * are avoided at a time: what ends everywhere is nobody's fault but the run's.
   *
   * @param now milliseconds of any clock
   * @return when the node is avoided from now on, and was never before, why, for the user
   */
  Optional<String> ended(ContainerEnds.End end, long now) {
    String node = end.node();
    Row before = ends.getOrDefault(node, Row.NONE);
    if (!end.life().isAfter(before.last())) {
      return Optional.empty();
    }
    int inARow = before.length() + 1;
    ends.put(node, new Row(inARow, end.life()));
    if (inARow < ENDS || sick.containsKey(node) || sick.size() + 1 > yarn.nodes() / 2) {
      return Optional.empty();
    }
    sick.put(node, now + REST_MILLIS);
    // The others' share is greater now.
    freeAll();
    yarn.avoid(node);
    String note =
        node
            + " gets no workers for "
            + TimeUnit.MILLISECONDS.toMinutes(REST_MILLIS)
            + " minutes at a time, for "
            + inARow
            + " of their containers in a row have ended there without a task done; of the last: "
            + end.reason().lines().findFirst().orElse("nothing is known");
    // A pool may go on for months, and writes all that is noted each time.
    if (noted.add(node)) {
      return Optional.of(note);
    }
    LOG.info("Again: {}", note);
    return Optional.empty();
  }

  /**
   * Lets those have workers again that have been avoided for long enough, and all when others are
   * lost and more than half would be avoided.
   */
  void wake(long now) {
    if (sick.size() > yarn.nodes() / 2) {
      List.copyOf(sick.keySet()).forEach(this::clear);
    }
    for (Iterator<Map.Entry<String, Long>> all = sick.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<String, Long> node = all.next();
      if (node.getValue() <= now) {
        all.remove();
        yarn.avoidNoLonger(node.getKey());
      }
    }
  }

  /**
   * The cluster has changed: with fewer nodes each one's share is greater.
   *
   * @param nodes those that can be used again, or no more; an earlier ApplicationMaster may have
   *     avoided them, of which nobody knows here
   */
  void changed(List<String> nodes) {
    nodes.forEach(this::clear);
    nodes.forEach(this::inherit);
    freeAll();
  }

  private void freeAll() {
    full.forEach(yarn::avoidNoLonger);
    full.clear();
  }
}
