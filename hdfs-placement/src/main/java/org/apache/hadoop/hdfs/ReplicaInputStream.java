package org.apache.hadoop.hdfs;

import dev.weir.hdfs.read.BlockReplica;
import dev.weir.hdfs.read.ReadAheadRing;
import dev.weir.hdfs.read.ReadBlock;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Fetches chunks of a file by positioned reads, each from a preferred replica. All else is as in
 * {@link DFSInputStream}, which also turns to other replicas. Many threads may fetch.
 */
final class ReplicaInputStream extends DFSInputStream implements ReadAheadRing.Source {
  /** Hadoop's own default, by which NameNodes order replicas if they are set to. */
  private static final long STALE_MILLIS = 30_000;

  @SuppressWarnings("ThreadLocalUsage") // belongs to this stream, and is emptied after each fetch
  private final ThreadLocal<@Nullable Fetch> fetches = new ThreadLocal<>();

  private final Map<String, Server> servers = new ConcurrentHashMap<>();
  private final FileSystem.Statistics statistics;
  private final Predicate<DatanodeInfo> isLocal;

  ReplicaInputStream(DFSInputStream beside, AdaptiveReads reads) throws IOException {
    super(beside.dfsClient, beside.src, beside.verifyChecksum, copy(beside.getLocatedBlocks()));
    statistics = reads.statistics();
    isLocal = reads.isLocal();
  }

  @Override
  public ReadBlock blockAt(long position) throws IOException {
    return readBlock(getBlockAt(position), isLocal);
  }

  @Override
  public String fetch(long position, byte[] target, int length, String node) throws IOException {
    Fetch fetch = new Fetch(node);
    fetches.set(fetch);
    try {
      int done = 0;
      while (done < length) {
        int count = read(position + done, target, done, length - done);
        if (count <= 0) {
          throw new EOFException(src + " ends at " + (position + done));
        }
        done += count;
      }
    } finally {
      fetches.remove();
    }
    DatanodeInfo served = fetch.served;
    if (served == null) {
      throw new IOException("Hadoop chose no replica for " + src + " at " + position);
    }
    Server server = new Server(served, dfsClient.getClientContext().getNetworkDistance(served));
    servers.put(served.getDatanodeUuid(), server);
    // Hadoop counts in this thread what it fetched. It is counted when and where it is read.
    count(server, -length);
    return served.getDatanodeUuid();
  }

  /** The DataNode that served a chunk. */
  @Nullable Server server(String node) {
    return servers.get(node);
  }

  /** Reads with the same read-ahead as another stream from now on. */
  void setCachingStrategy(DFSInputStream of) {
    CachingStrategy strategy;
    synchronized (of.infoLock) {
      strategy = of.cachingStrategy;
    }
    synchronized (infoLock) {
      cachingStrategy = strategy;
    }
  }

  /** Counts bytes for the current thread. */
  void count(Server server, int bytes) {
    statistics.incrementBytesRead(bytes);
    statistics.incrementBytesReadByDistance(server.distance(), bytes);
  }

  @Override
  protected @Nullable DNAddrPair getBestNodeDNAddrPair(
      LocatedBlock block, Collection<DatanodeInfo> ignored) {
    Fetch fetch = fetches.get();
    DNAddrPair best =
        super.getBestNodeDNAddrPair(fetch == null ? block : withFirst(block, fetch.node), ignored);
    if (fetch != null && best != null) {
      fetch.served = best.info;
    }
    return best;
  }

  /** The block with the replicas to choose from. Stock HDFS reads others only if these fail. */
  static ReadBlock readBlock(LocatedBlock block, Predicate<DatanodeInfo> isLocal) {
    long newest =
        Arrays.stream(block.getLocations()).mapToLong(DatanodeInfo::getLastUpdate).max().orElse(0);
    List<BlockReplica> replicas = new ArrayList<>();
    for (DatanodeInfo node : block.getLocations()) {
      boolean local = isLocal.test(node);
      boolean fresh = newest - node.getLastUpdate() < STALE_MILLIS;
      if (!node.isDecommissioned() && !node.isMaintenance() && (local || fresh)) {
        replicas.add(
            new BlockReplica(
                node.getDatanodeUuid(), node.getNetworkLocation(), local, node.getXceiverCount()));
      }
    }
    long start = block.getStartOffset();
    return new ReadBlock(start, start + block.getBlockSize(), replicas);
  }

  /** The same block with another order of replicas, because streams share the block. */
  static LocatedBlock withFirst(LocatedBlock block, String node) {
    DatanodeInfoWithStorage[] nodes = block.getLocations().clone();
    int first = 0;
    while (first < nodes.length && !nodes[first].getDatanodeUuid().equals(node)) {
      first++;
    }
    if (first == 0 || first == nodes.length || block.isStriped()) {
      return block;
    }
    Collections.rotate(Arrays.asList(nodes).subList(0, first + 1), 1);
    String[] ids = new String[nodes.length];
    StorageType[] types = new StorageType[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      ids[i] = nodes[i].getStorageID();
      types[i] = nodes[i].getStorageType();
    }
    LocatedBlock ordered =
        new LocatedBlock(
            block.getBlock(),
            nodes,
            ids,
            types,
            block.getStartOffset(),
            block.isCorrupt(),
            block.getCachedLocations());
    ordered.setBlockToken(block.getBlockToken());
    return ordered;
  }

  /** A stream adds the blocks that it looks up to its list. */
  private static LocatedBlocks copy(LocatedBlocks blocks) {
    return new LocatedBlocks(
        blocks.getFileLength(),
        blocks.isUnderConstruction(),
        new ArrayList<>(blocks.getLocatedBlocks()),
        blocks.getLastLocatedBlock(),
        blocks.isLastBlockComplete(),
        blocks.getFileEncryptionInfo(),
        blocks.getErasureCodingPolicy());
  }

  /**
   * A DataNode that served a chunk.
   *
   * @param distance from this host, which Hadoop computes from names each time
   */
  record Server(DatanodeInfo node, int distance) {}

  private static final class Fetch {
    private final String node;
    private @Nullable DatanodeInfo served;

    Fetch(String node) {
      this.node = node;
    }
  }
}
