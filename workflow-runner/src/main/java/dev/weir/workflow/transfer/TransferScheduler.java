package dev.weir.workflow.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;

/** Schedules reads of large files. Thread-safe. */
public interface TransferScheduler {

  /**
   * A transfer that waits for a permit.
   *
   * @param bytes size of the file
   * @param content key of the content, if this node will serve it to others while it reads; empty
   *     otherwise
   */
  record Request(long bytes, String content) {}

  /** Another node's cache that has the content or is reading it. */
  interface Cache {

    /**
     * Reads the content.
     *
     * @param out receives the content
     * @return whether all of it came and has the other node's checksum; if not, the written bytes
     *     are useless
     * @throws IOException when reading it from elsewhere would fail, too
     */
    boolean read(OutputStream out) throws IOException;
  }

  /** Is called with the result of a permitted transfer. */
  interface End {

    /**
     * The transfer has ended.
     *
     * @param whole whether all was read
     * @param bytesFromCache how many bytes came from another node's cache
     */
    void ended(boolean whole, long bytesFromCache);
  }

  /** The permission to transfer; closing it ends the transfer. */
  final class Grant implements AutoCloseable {

    private final String from;
    private final @Nullable Cache cache;
    private final End end;
    private boolean whole;
    private long bytesFromCache;

    /**
     * Creates a permission.
     *
     * @param from host to read from; empty for any
     * @param cache that of the host; null to read from HDFS
     * @param end is called when the transfer has ended
     */
    public Grant(String from, @Nullable Cache cache, End end) {
      this.from = from;
      this.cache = cache;
      this.end = end;
    }

    /** Host to read from; empty for any. */
    public String from() {
      return from;
    }

    /** The cache to read from; null to read from HDFS. */
    @Nullable public Cache cache() {
      return cache;
    }

    /** Sets the number of bytes that came from the cache. */
    public void fromCache(long bytes) {
      bytesFromCache = bytes;
    }

    /** Records that all was read. */
    public void complete() {
      whole = true;
    }

    @Override
    public void close() {
      end.ended(whole, bytesFromCache);
    }
  }

  /**
   * Returns whether a file needs a permit.
   *
   * @param shared whether this node will serve it to others while it reads
   */
  boolean appliesTo(long bytes, boolean shared);

  /**
   * Waits for a permit.
   *
   * @param holders returns the hosts, nearest first, repeatedly during the wait. Empty when no
   *     single node has all of the file; such a transfer does not wait. Fails when waiting is
   *     useless
   * @throws java.io.InterruptedIOException when the thread is interrupted meanwhile
   * @throws IOException as the holders do
   */
  Grant acquire(Request request, CallableRaisingIOE<List<String>> holders) throws IOException;
}
