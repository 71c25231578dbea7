package dev.weir.hdfs.read;

import dev.weir.hdfs.placement.StableHash;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the replicas that one stream reads from, by their load and by the rates that they gave
 * this stream lately. Thread-safe; without I/O.
 *
 * <p>A replica that failed, or that is far slower than another one of the block, is not selected
 * until its rate is forgotten.
 */
public final class ReplicaSelection {
  /** How long a rate or a failure is remembered. */
  private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Loads count as equal within steps of so many xceivers. */
  private static final int LOAD_STEP = 8;

  /** A replica is slow if another one gives this many times its rate. */
  private static final int SLOW_FACTOR = 3;

  /** The weight of the older measurements when a new one is added. */
  private static final double DECAY = 0.7;

  private final String stream;
  private final LongSupplier clock;
  private final Map<String, NodeState> nodes = new HashMap<>();
  private @Nullable String current;

  /**
   * Creates a selection without measurements.
   *
   * @param stream identifies the stream; distributes streams over equal replicas
   * @param clock in nanoseconds
   */
  public ReplicaSelection(String stream, LongSupplier clock) {
    this.stream = stream;
    this.clock = clock;
  }

  /**
   * The replica from which the stream reads alone: the one that it has been reading from, else the
   * least loaded on the rack of the nearest usable replica, by rendezvous hashing among equals.
   *
   * @return empty if the order of the replicas should not be changed
   */
  public synchronized Optional<BlockReplica> single(ReadBlock block) {
    List<BlockReplica> usable = block.isStripable() ? usable(block.replicas()) : List.of();
    if (usable.isEmpty()) {
      return Optional.empty();
    }
    String rack = usable.get(0).rack();
    List<BlockReplica> near =
        usable.stream().filter(replica -> replica.rack().equals(rack)).toList();
    Optional<BlockReplica> chosen =
        near.stream()
            .filter(replica -> replica.node().equals(current))
            .findFirst()
            .or(() -> near.stream().min(byLoad().thenComparingLong(this::rendezvousScore)));
    current = chosen.map(BlockReplica::node).orElse(null);
    return chosen;
  }

  /**
   * Selects a replica for the next chunk: the fastest idle one of those in use.
   *
   * @param width how many replicas are in use
   * @return empty if all of these are busy
   */
  public synchronized Optional<BlockReplica> next(List<BlockReplica> replicas, int width) {
    return usable(replicas).stream()
        .sorted(byLoad())
        .limit(width)
        .filter(replica -> !state(replica.node()).busy)
        .max(Comparator.comparingDouble(replica -> rateOrBest(replica.node())));
  }

  /** How many replicas can be in use. */
  public synchronized int usableCount(List<BlockReplica> replicas) {
    return usable(replicas).size();
  }

  /** Records that a chunk is being fetched from the node. */
  synchronized void started(String node) {
    state(node).busy = true;
  }

  /** Records that the node is idle again. */
  synchronized void ended(String node) {
    state(node).busy = false;
  }

  /** Records the rate that a node gave. */
  public synchronized void measured(String node, long bytes, long nanos) {
    NodeState state = state(node);
    double weight = isRecent(state.measuredAt) ? DECAY : 0;
    state.bytes = state.bytes * weight + bytes;
    state.nanos = state.nanos * weight + Math.max(1, nanos);
    state.measuredAt = clock.getAsLong();
  }

  /** Records that a node did not deliver, or did not deliver in time. */
  synchronized void failed(String node) {
    state(node).failedAt = clock.getAsLong();
    if (node.equals(current)) {
      current = null;
    }
  }

  /** The highest rate lately, in bytes a second; 0 if unknown. */
  synchronized double bestRate() {
    return nodes.values().stream().mapToDouble(this::rate).max().orElse(0);
  }

  private List<BlockReplica> usable(List<BlockReplica> replicas) {
    double best = replicas.stream().mapToDouble(replica -> rate(replica.node())).max().orElse(0);
    return replicas.stream().filter(replica -> isUsable(replica.node(), best)).toList();
  }

  private boolean isUsable(String node, double best) {
    double rate = rate(node);
    return !isRecent(state(node).failedAt) && (rate == 0 || rate * SLOW_FACTOR >= best);
  }

  private static Comparator<BlockReplica> byLoad() {
    return Comparator.comparingInt(replica -> replica.load() / LOAD_STEP);
  }

  private long rendezvousScore(BlockReplica replica) {
    return StableHash.of(stream + ' ' + replica.node());
  }

  /** A node without measurements comes first, so that it gets some. */
  private double rateOrBest(String node) {
    double rate = rate(node);
    return rate == 0 ? Double.MAX_VALUE : rate;
  }

  private double rate(String node) {
    return rate(state(node));
  }

  private double rate(NodeState state) {
    return isRecent(state.measuredAt) ? state.bytes * TimeUnit.SECONDS.toNanos(1) / state.nanos : 0;
  }

  private boolean isRecent(@Nullable Long at) {
    return at != null && clock.getAsLong() - at < MEMORY_NANOS;
  }

  private NodeState state(String node) {
    return nodes.computeIfAbsent(node, absent -> new NodeState());
  }

  private static final class NodeState {
    private double bytes;
    private double nanos;
    private @Nullable Long measuredAt;
    private @Nullable Long failedAt;
    private boolean busy;
  }
}
