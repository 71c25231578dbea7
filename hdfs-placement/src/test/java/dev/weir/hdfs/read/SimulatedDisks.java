package dev.weir.hdfs.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Streams that read files from disks, in steps of a millisecond. All transfers of a disk share its
 * rate, which sinks with each further transfer because of seeks. Each file has three replicas.
 */
final class SimulatedDisks {
  private static final long STEP_NANOS = 1_000_000;
  private static final long CHUNK = StripedReadConfig.CHUNK_BYTES;
  private static final int REPLICAS = 3;

  private final double[] bytesPerStep;
  private final double seekShare;
  private final boolean adaptive;
  private final List<Stream> streams = new ArrayList<>();
  private long nanos;

  /**
   * Creates idle disks.
   *
   * @param rates in bytes a second
   * @param seekShare by which share of its rate a disk becomes slower with each further transfer
   * @param adaptive whether streams use several replicas
   */
  SimulatedDisks(double[] rates, double seekShare, boolean adaptive) {
    bytesPerStep = Arrays.stream(rates).map(rate -> rate * STEP_NANOS / 1e9).toArray();
    this.seekShare = seekShare;
    this.adaptive = adaptive;
  }

  /** Adds a reader of a file whose first replica is on the given disk. */
  void read(int firstDisk, long bytes) {
    streams.add(new Stream("s" + streams.size(), firstDisk, bytes));
  }

  /** Runs until all is read, and returns the seconds. */
  double run() {
    while (streams.stream().anyMatch(stream -> stream.left > 0)) {
      nanos += STEP_NANOS;
      streams.forEach(Stream::schedule);
      int[] active = new int[bytesPerStep.length];
      streams.forEach(stream -> stream.fetching().forEach(chunk -> active[chunk.disk]++));
      for (Stream stream : streams) {
        for (Chunk chunk : stream.fetching()) {
          int count = active[chunk.disk];
          chunk.left -= bytesPerStep[chunk.disk] / (1 + seekShare * (count - 1)) / count;
        }
        stream.consume();
      }
    }
    return nanos / 1e9;
  }

  private final class Stream {
    private final ReplicaSelection selection;
    private final StripeWidth width = new StripeWidth();
    private final ReadBlock block;
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long toFetch;
    private long left;
    private long waitedSince;

    Stream(String name, int firstDisk, long bytes) {
      selection = new ReplicaSelection(name, () -> nanos);
      List<BlockReplica> replicas = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        int disk = (firstDisk + i) % bytesPerStep.length;
        replicas.add(new BlockReplica(String.valueOf(disk), "/r", false, 0));
      }
      block = new ReadBlock(0, bytes, replicas);
      toFetch = bytes;
      left = bytes;
    }

    List<Chunk> fetching() {
      return chunks.stream().filter(chunk -> chunk.left > 0).toList();
    }

    void schedule() {
      int replicas = width.width();
      while (toFetch > 0 && chunks.size() < (replicas == 1 ? 1 : 2 * replicas)) {
        String node = node(replicas);
        if (node.isEmpty()) {
          return;
        }
        selection.started(node);
        chunks.add(new Chunk(Integer.parseInt(node), node, nanos));
        toFetch -= CHUNK;
      }
    }

    private String node(int replicas) {
      if (!adaptive) {
        return block.replicas().get(0).node();
      }
      return (replicas == 1 ? selection.single(block) : selection.next(block.replicas(), replicas))
          .map(BlockReplica::node)
          .orElse("");
    }

    void consume() {
      for (Chunk chunk : chunks) {
        if (chunk.left <= 0 && !chunk.done) {
          chunk.done = true;
          selection.ended(chunk.node);
          selection.measured(chunk.node, CHUNK, nanos - chunk.start);
        }
      }
      while (!chunks.isEmpty() && chunks.element().done) {
        chunks.remove();
        left -= CHUNK;
        boolean decides = width.read(CHUNK, nanos - waitedSince, 0);
        waitedSince = nanos;
        if (decides && adaptive) {
          width.decide(selection.usableCount(block.replicas()));
        }
      }
    }
  }

  private static final class Chunk {
    private final int disk;
    private final String node;
    private final long start;
    private double left = CHUNK;
    private boolean done;

    Chunk(int disk, String node, long start) {
      this.disk = disk;
      this.node = node;
      this.start = start;
    }
  }
}
