package org.apache.hadoop.hdfs;

import dev.weir.hdfs.read.BlockReplica;
import dev.weir.hdfs.read.ReadAheadRing;
import dev.weir.hdfs.read.ReadBlock;
import dev.weir.hdfs.read.ReplicaSelection;
import dev.weir.hdfs.read.StripeWidth;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumSet;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.ByteBufferPool;
import org.jspecify.annotations.Nullable;

/**
 * A stream that reads a file from one replica, as stock HDFS does, and from several at once while
 * it is read in sequence and this is faster.
 *
 * <p>Chunks that cannot be fetched are read as in stock HDFS, so errors are its own. Positioned
 * reads and seeks use one replica. It is in this package because the constructor of {@link
 * DFSInputStream} is package-private.
 */
final class AdaptiveInputStream extends DFSInputStream {
  /** A seek forward by less than this does not end a sequence. */
  private static final long SHORT_SKIP_BYTES = 1 << 20;

  private final AdaptiveReads reads;
  private final ReplicaSelection selection;

  // All below is guarded by this.
  private final StripeWidth width = new StripeWidth();
  private @Nullable ReplicaInputStream replicas;
  private @Nullable ReadAheadRing ring;
  private @Nullable DatanodeInfo served;
  private long stockUntil;
  private long lastReadNanos;

  AdaptiveInputStream(DFSInputStream stock, AdaptiveReads reads, long number) throws IOException {
    super(stock.dfsClient, stock.src, stock.verifyChecksum, stock.getLocatedBlocks());
    this.reads = reads;
    this.selection = new ReplicaSelection(src + '#' + number, reads.context().clock());
    this.lastReadNanos = now();
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int length) throws IOException {
    long start = now();
    int count = isRingWanted(length) ? readRing(ByteBuffer.wrap(buffer, offset, length)) : 0;
    return record(count > 0 ? count : super.read(buffer, offset, length), start);
  }

  @Override
  public synchronized int read(ByteBuffer buffer) throws IOException {
    long start = now();
    int count = isRingWanted(buffer.remaining()) ? readRing(buffer) : 0;
    return record(count > 0 ? count : super.read(buffer), start);
  }

  @Override
  public synchronized ByteBuffer read(
      ByteBufferPool pool, int maxLength, EnumSet<ReadOption> options) throws IOException {
    leaveRing();
    return super.read(pool, maxLength, options);
  }

  @Override
  public synchronized void seek(long target) throws IOException {
    if (ring != null && ring.skipTo(target)) {
      pos = target;
      return;
    }
    long before = pos;
    leaveRing();
    super.seek(target);
    if (target < before || target - before >= SHORT_SKIP_BYTES) {
      width.restart();
    }
  }

  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    leaveRing();
    return super.seekToNewSource(target);
  }

  @Override
  public synchronized void unbuffer() {
    leaveRing();
    super.unbuffer();
  }

  @Override
  public synchronized void close() throws IOException {
    leaveRing();
    try {
      if (replicas != null) {
        replicas.close();
      }
    } finally {
      super.close();
    }
  }

  @Override
  public synchronized @Nullable DatanodeInfo getCurrentDatanode() {
    return served == null ? super.getCurrentDatanode() : served;
  }

  @Override
  protected @Nullable DNAddrPair getBestNodeDNAddrPair(
      LocatedBlock block, Collection<DatanodeInfo> ignored) {
    LocatedBlock ordered =
        selection
            .single(ReplicaInputStream.readBlock(block, reads.isLocal()))
            .map(BlockReplica::node)
            .map(node -> ReplicaInputStream.withFirst(block, node))
            .orElse(block);
    return super.getBestNodeDNAddrPair(ordered, ignored);
  }

  private boolean isRingWanted(int length) {
    return length > 0
        && !closed.get()
        && (ring != null || (width.width() > 1 && pos >= stockUntil && pos < getFileLength()));
  }

  /** Reads from the ring; 0 if stock HDFS should read. */
  private int readRing(ByteBuffer target) throws IOException {
    dfsClient.checkOpen();
    ReadAheadRing open = ring == null ? openRing() : ring;
    if (open == null) {
      return 0;
    }
    int count;
    try {
      count = open.read(target, width.width());
    } catch (InterruptedException e) {
      leaveRing();
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted reading " + src).initCause(e);
    }
    if (count == 0) {
      if (!open.isAtEnd()) {
        width.single();
      }
      leaveRing();
      return 0;
    }
    count(open.lastNode(), count);
    pos += count;
    return count;
  }

  /** Opens a ring; null if the block should be read from one replica. */
  private @Nullable ReadAheadRing openRing() {
    try {
      ReplicaInputStream source = replicas;
      if (source == null) {
        source = new ReplicaInputStream(this, reads);
        replicas = source;
      }
      ReadBlock block = source.blockAt(pos);
      if (block.isStripable()) {
        source.setCachingStrategy(this);
        closeCurrentBlockReaders();
        ring = new ReadAheadRing(source, selection, reads.context(), pos, getFileLength());
      } else {
        stockUntil = block.end();
      }
    } catch (IOException e) {
      DFSClient.LOG.debug("Reading {} from one replica", src, e);
      width.single();
    }
    return ring;
  }

  /** The next read by stock HDFS begins with a new connection at the current position. */
  private void leaveRing() {
    if (ring != null) {
      ring.close();
      ring = null;
      served = null;
      closeCurrentBlockReaders();
    }
  }

  private void count(String node, int bytes) throws IOException {
    ReplicaInputStream source = replicas;
    if (source == null) {
      return;
    }
    currentLocatedBlock = source.getBlockAt(pos);
    readStatistics.addRemoteBytes(bytes);
    ReplicaInputStream.Server server = source.server(node);
    if (server != null) {
      served = server.node();
      source.count(server, bytes);
    }
  }

  private int record(int count, long start) {
    long end = now();
    if (count > 0 && width.read(count, end - start, start - lastReadNanos)) {
      width.decide(usableReplicas());
      if (ring != null && width.width() == 1) {
        ring.stop();
      }
    }
    lastReadNanos = end;
    return count;
  }

  private int usableReplicas() {
    if (pos >= getFileLength()) {
      return 1;
    }
    try {
      // The stream that knows the block already: each look-up in the NameNode counts as an access.
      LocatedBlock located =
          ring == null || replicas == null ? getBlockAt(pos) : replicas.getBlockAt(pos);
      ReadBlock block = ReplicaInputStream.readBlock(located, reads.isLocal());
      return block.isStripable() ? selection.usableCount(block.replicas()) : 1;
    } catch (IOException e) {
      return 1;
    }
  }

  private long now() {
    return reads.context().clock().getAsLong();
  }
}
