package dev.weir.hdfs.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chunks of a file after the reader's position, fetched in parallel from several replicas, one
 * chunk at a time from each. The ring holds two chunks for each replica in use, also of the next
 * block, as far as the budget allows.
 *
 * <p>A ring that cannot go on ends: {@link #read} returns 0 and the reader continues without it.
 * One thread at a time may call it; other threads fetch.
 */
public final class ReadAheadRing implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAheadRing.class);

  /** How long the reader waits for a chunk at least. */
  private static final long MIN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long it waits while no rate is known. */
  private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The reader waits this many times as long as the fastest replica needs for a chunk. */
  private static final int WAIT_FACTOR = 6;

  private static final int CHUNKS_PER_REPLICA = 2;

  private final Source source;
  private final ReplicaSelection selection;
  private final ReadContext context;
  private final Object lock = new Object();

  // All below is guarded by the lock. The reader alone takes chunks out.
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private final Deque<byte[]> free = new ArrayDeque<>();
  private @Nullable ReadBlock block;
  private int width = 1;
  private long position;
  private long next;
  private long end;
  private String lastNode = "";

  /** Where chunks come from. */
  public interface Source {
    /** The block of the position; called by the reader's thread only. */
    ReadBlock blockAt(long position) throws IOException;

    /**
     * Fetches a chunk, which lies in one block; called by other threads.
     *
     * @param node the preferred DataNode
     * @return the DataNode that served it
     */
    String fetch(long position, byte[] target, int length, String node) throws IOException;
  }

  /**
   * Creates a ring that has fetched nothing.
   *
   * @param start the reader's position
   * @param end the length of the file
   */
  public ReadAheadRing(
      Source source, ReplicaSelection selection, ReadContext context, long start, long end) {
    this.source = source;
    this.selection = selection;
    this.context = context;
    position = start;
    next = start;
    this.end = end;
  }

  /**
   * Reads the next bytes, after waiting for at least one.
   *
   * @param target with room for at least one byte
   * @param replicas how many replicas to use from now on
   * @return the number of bytes; 0 if the reader should continue without this ring
   */
  public int read(ByteBuffer target, int replicas) throws InterruptedException {
    Chunk head;
    int from;
    synchronized (lock) {
      width = replicas;
      head = awaitHead();
      if (head == null) {
        return 0;
      }
      from = (int) (position - head.start);
      lastNode = head.node;
    }
    int count = Math.min(target.remaining(), head.length - from);
    target.put(head.buffer, from, count);
    synchronized (lock) {
      position += count;
      if (position == head.end()) {
        recycle(chunks.remove().buffer);
        schedule(false);
      }
    }
    return count;
  }

  /** The DataNode that served what was read last. */
  public String lastNode() {
    synchronized (lock) {
      return lastNode;
    }
  }

  /** Whether all was read, so that the ring ends without a failure. */
  public boolean isAtEnd() {
    synchronized (lock) {
      return position == end;
    }
  }

  /** Moves the reader forward; false if the position has not been fetched. */
  public boolean skipTo(long target) {
    synchronized (lock) {
      if (target < position) {
        return false;
      }
      while (!chunks.isEmpty() && chunks.element().isReady() && chunks.element().end() <= target) {
        recycle(chunks.remove().buffer);
      }
      Chunk head = chunks.peek();
      boolean reached =
          head != null && target >= head.start && (head.isReady() || target == head.start);
      if (reached) {
        position = target;
      }
      return reached;
    }
  }

  /** Starts no more fetches. What is being fetched can still be read. */
  public void stop() {
    synchronized (lock) {
      end = next;
    }
  }

  /**
   * Returns all memory, that of running fetches when they end, at the latest by a timeout of HDFS.
   * These are not interrupted, because Hadoop would log each of them as an error.
   */
  @Override
  public void close() {
    synchronized (lock) {
      end = position;
      for (Chunk chunk : chunks) {
        if (chunk.state == State.FETCHING) {
          chunk.cancelled = true;
        } else {
          context.budget().release(chunk.buffer);
        }
      }
      chunks.clear();
      next = position;
      free.forEach(context.budget()::release);
      free.clear();
    }
  }

  /** Waits for the first chunk; null if there is none, it failed or it takes too long. */
  private @Nullable Chunk awaitHead() throws InterruptedException {
    schedule(true);
    Chunk head = chunks.peek();
    while (head != null && head.state == State.FETCHING) {
      long left = head.startNanos + longestWaitNanos() - context.clock().getAsLong();
      if (left <= 0) {
        LOG.info("DataNode {} does not deliver; reading from one replica", head.node);
        selection.failed(head.node);
        return null;
      }
      lock.wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
      schedule(true);
    }
    return head == null || head.state == State.FAILED ? null : head;
  }

  private long longestWaitNanos() {
    double rate = selection.bestRate();
    double chunkNanos = StripedReadConfig.CHUNK_BYTES * (double) TimeUnit.SECONDS.toNanos(1) / rate;
    return rate == 0
        ? FIRST_WAIT_NANOS
        : Math.max(MIN_WAIT_NANOS, (long) (WAIT_FACTOR * chunkNanos));
  }

  /** Starts fetches; only the reader looks blocks up, because this may call the NameNode. */
  private void schedule(boolean isReader) {
    while (chunks.size() < CHUNKS_PER_REPLICA * width && next < end) {
      ReadBlock current = block;
      if (current == null || next >= current.end()) {
        if (!isReader) {
          return;
        }
        current = lookUp();
        block = current;
      }
      if (current == null || !current.isStripable()) {
        end = next;
        return;
      }
      Optional<BlockReplica> replica = selection.next(current.replicas(), width);
      if (replica.isEmpty() || !start(current, replica.get().node())) {
        return;
      }
    }
  }

  private @Nullable ReadBlock lookUp() {
    try {
      return source.blockAt(next);
    } catch (IOException e) {
      LOG.debug("Cannot look up the block at {}", next, e);
      return null;
    }
  }

  private boolean start(ReadBlock current, String node) {
    byte[] buffer =
        free.isEmpty() ? context.budget().acquire(context.config().maxChunks()) : free.remove();
    if (buffer == null) {
      return false;
    }
    long inBlock = (next - current.start()) / StripedReadConfig.CHUNK_BYTES + 1;
    long stop = Math.min(current.start() + inBlock * StripedReadConfig.CHUNK_BYTES, current.end());
    int length = (int) (Math.min(stop, end) - next);
    Chunk chunk = new Chunk(next, length, buffer, node, context.clock().getAsLong());
    selection.started(node);
    if (!context.budget().execute(() -> fetch(chunk))) {
      selection.ended(node);
      free.add(buffer);
      return false;
    }
    chunks.add(chunk);
    next += length;
    return true;
  }

  private void recycle(byte[] buffer) {
    free.add(buffer);
    int wanted = next < end ? CHUNKS_PER_REPLICA * width - chunks.size() : 0;
    while (free.size() > Math.max(0, wanted)) {
      context.budget().release(free.remove());
    }
  }

  /** Fetches a chunk in a thread of the budget. */
  private void fetch(Chunk chunk) {
    String served = null;
    try {
      served = source.fetch(chunk.start, chunk.buffer, chunk.length, chunk.node);
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.debug("Cannot fetch {} bytes at {} from {}", chunk.length, chunk.start, chunk.node, e);
    } finally {
      complete(chunk, served);
    }
  }

  private void complete(Chunk chunk, @Nullable String served) {
    synchronized (lock) {
      selection.ended(chunk.node);
      if (chunk.cancelled) {
        context.budget().release(chunk.buffer);
        return;
      }
      if (!chunk.node.equals(served)) {
        selection.failed(chunk.node);
      }
      if (served == null) {
        chunk.state = State.FAILED;
      } else {
        chunk.state = State.READY;
        chunk.node = served;
        selection.measured(served, chunk.length, context.clock().getAsLong() - chunk.startNanos);
        schedule(false);
      }
      lock.notifyAll();
    }
  }

  private enum State {
    FETCHING,
    READY,
    FAILED
  }

  /** Guarded by the ring's lock, except for the buffer, which is written before it is ready. */
  private static final class Chunk {
    private final long start;
    private final int length;
    private final byte[] buffer;
    private final long startNanos;
    private String node;
    private State state = State.FETCHING;
    private boolean cancelled;

    Chunk(long start, int length, byte[] buffer, String node, long startNanos) {
      this.start = start;
      this.length = length;
      this.buffer = buffer;
      this.node = node;
      this.startNanos = startNanos;
    }

    long end() {
      return start + length;
    }

    boolean isReady() {
      return state == State.READY;
    }
  }
}
