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
 * Distributes workers over nodes: each node gets its share, and none for a while if containers keep
 * ending there. YARN is told which nodes to avoid. Not thread-safe.
 */
final class WorkerNodes {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerNodes.class);

  /** This many ends in a row, without a completed task on the node, are not a coincidence. */
  static final int MAX_ENDS = 3;

  /**
   * An administrator may have repaired the node by then. After one more end it is avoided again.
   */
  static final long AVOID_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /**
   * If YARN gives no container for this long while nodes were refused that have their share, the
   * other nodes have no room, and each node may have one worker more.
   */
  static final long RELAX_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final int workers;
  private final Map<String, Integer> present = new HashMap<>();
  private final Set<String> full = new HashSet<>();

  /** Ends on each node since its last completed task. */
  private final Map<String, EndStreak> ends = new HashMap<>();

  /** When each avoided node is accepted again. */
  private final Map<String, Long> avoidedUntil = new HashMap<>();

  /** Nodes that were already reported to the user. */
  private final Set<String> reported = new HashSet<>();

  /** How many workers more than its even share a node may have. */
  private int extra;

  /** Since when no node that YARN offers has room in its share; 0 if that is not so. */
  private long refusingSince;

  private Containers yarn;

  /**
   * Ends of a node's containers, each started after the previous one had ended: an event that ends
   * several at once, such as a broken link, counts once.
   */
  private record EndStreak(int length, ContainerEnds.Life last) {

    private static final EndStreak NONE = new EndStreak(0, ContainerEnds.Life.NONE);
  }

  @SuppressWarnings("NullAway.Init") // YARN's client exists only after its call-back handler
  WorkerNodes(int workers) {
    this.workers = workers;
  }

  /** Sets the interface to YARN; call it before all other methods. */
  void open(Containers of) {
    yarn = of;
  }

  /**
   * Stops YARN from avoiding a node for an earlier ApplicationMaster, whose workers are kept; ends
   * there are counted anew.
   */
  void inherit(String node) {
    yarn.avoidNoLonger(node);
  }

  /** Returns whether a node may have another worker. */
  boolean accepts(String node) {
    return !avoidedUntil.containsKey(node) && present.getOrDefault(node, 0) < share();
  }

  /** Returns the maximum number of workers per node when they are spread evenly. */
  private int share() {
    int others = Math.max(1, yarn.nodes() - avoidedUntil.size());
    return (workers + others - 1) / others + extra;
  }

  /** YARN allocated a container on a node that accepts none. */
  void refuse(String node) {
    if (!avoidedUntil.containsKey(node) && full.add(node)) {
      yarn.avoid(node);
    }
  }

  /** A node has one more worker. */
  void add(String node) {
    refusingSince = 0;
    present.merge(node, 1, Integer::sum);
  }

  /**
   * Lets each node have one worker more if the even share has kept workers waiting for a while.
   * Once no worker waits, later ones are spread evenly again.
   *
   * @param isWaiting whether containers are requested
   * @param now milliseconds of any clock
   */
  void relax(boolean isWaiting, long now) {
    if (!isWaiting) {
      extra = 0;
    }
    if (!isWaiting || full.isEmpty()) {
      refusingSince = 0;
    } else if (refusingSince == 0) {
      refusingSince = now;
    } else if (now - refusingSince >= RELAX_MILLIS) {
      LOG.info("The other nodes have no room; each node may have one worker more");
      extra++;
      readmitFull();
    }
  }

  /** A node has one worker less, so it has room. */
  void leave(String node) {
    present.merge(node, -1, Integer::sum);
    if (full.remove(node)) {
      yarn.avoidNoLonger(node);
    }
  }

  /**
   * A task was completed on a node: its earlier ends do not count any more. That does not hold for
   * an avoided node, whose workers started before it was avoided and were healthy even then.
   */
  void worked(String node) {
    if (!avoidedUntil.containsKey(node)) {
      ends.remove(node);
    }
  }

  /** A node has changed: its earlier ends do not count any more. */
  private void clear(String node) {
    ends.remove(node);
    if (avoidedUntil.remove(node) != null) {
      yarn.avoidNoLonger(node);
    }
  }

  /**
   * A container has ended, and its node may be the cause. At most half of the cluster's nodes are
   * avoided at a time: containers that end everywhere are the run's fault.
   *
   * @param now milliseconds of any clock
   * @return a note for the user when the node is avoided for the first time
   */
  Optional<String> ended(ContainerEnds.End end, long now) {
    String node = end.node();
    EndStreak earlier = ends.getOrDefault(node, EndStreak.NONE);
    if (!end.life().isAfter(earlier.last())) {
      return Optional.empty();
    }
    int inARow = earlier.length() + 1;
    ends.put(node, new EndStreak(inARow, end.life()));
    if (inARow < MAX_ENDS
        || avoidedUntil.containsKey(node)
        || avoidedUntil.size() + 1 > yarn.nodes() / 2) {
      return Optional.empty();
    }
    avoidedUntil.put(node, now + AVOID_MILLIS);
    // The share of the other nodes is larger now.
    readmitFull();
    yarn.avoid(node);
    String note =
        node
            + " gets no workers for "
            + TimeUnit.MILLISECONDS.toMinutes(AVOID_MILLIS)
            + " minutes at a time, for "
            + inARow
            + " of their containers in a row have ended there without a completed task; the last: "
            + end.reason().lines().findFirst().orElse("no reason is known");
    // A session may run for months, and stores each note.
    if (reported.add(node)) {
      return Optional.of(note);
    }
    LOG.info("Again: {}", note);
    return Optional.empty();
  }

  /**
   * Readmits nodes that were avoided for long enough. Readmits all if more than half of the
   * cluster's nodes are avoided.
   */
  void readmit(long now) {
    if (avoidedUntil.size() > yarn.nodes() / 2) {
      List.copyOf(avoidedUntil.keySet()).forEach(this::clear);
    }
    for (Iterator<Map.Entry<String, Long>> all = avoidedUntil.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<String, Long> node = all.next();
      if (node.getValue() <= now) {
        all.remove();
        yarn.avoidNoLonger(node.getKey());
      }
    }
  }

  /**
   * The cluster has changed: with fewer nodes each one's share is larger.
   *
   * @param nodes nodes that became usable or unusable; an earlier ApplicationMaster may have had
   *     YARN avoid them
   */
  void changed(List<String> nodes) {
    nodes.forEach(this::clear);
    nodes.forEach(this::inherit);
    extra = 0;
    readmitFull();
  }

  /** Lets YARN give containers on nodes again that have their share of workers. */
  void readmitFull() {
    refusingSince = 0;
    full.forEach(yarn::avoidNoLonger);
    full.clear();
  }
}
