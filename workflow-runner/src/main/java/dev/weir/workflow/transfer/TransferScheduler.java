package dev.weir.workflow.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a large file may be read, and from where, or an output be sent to where others go, too. Any
 * thread may use it.
 */
public interface TransferScheduler {

  /**
   * What somebody wants to read or to send.
   *
   * @param bytes size of the file
   * @param content name of its content, if this node will give it to others as it comes; empty if
   *     it will not
   */
  record Want(long bytes, String content) {}

  /** Which nodes could serve all of a file, or the one to which an output goes. */
  interface Holders {

    /**
     * The hosts, nearest first; empty when it takes several to serve it: nobody waits then.
     *
     * @throws IOException when it is no use to wait, as for a file that is gone
     */
    List<String> now() throws IOException;
  }

  /** Another node's cache that has the content, or will have it. */
  interface Cache {

    /**
     * Reads it.
     *
     * @param out where to
     * @return whether all of it came and is what the other node had fetched; if not, nothing that
     *     was written is worth anything
     * @throws IOException when it is no use to read it from elsewhere
     */
    boolean read(OutputStream out) throws IOException;
  }

  /** Hears what came of a turn. */
  interface End {

    /**
     * It is over.
     *
     * @param whole whether all was read
     * @param bytesFromCache how many bytes came from another node's cache
     */
    void over(boolean whole, long bytesFromCache);
  }

  /** A turn that has come. */
  final class Turn implements AutoCloseable {

    private final String from;
    private final @Nullable Cache cache;
    private final End end;
    private boolean whole;
    private long bytesFromCache;

    /**
     * A turn.
     *
     * @param from host to read from; empty for any
     * @param cache that of the host; null when it is to be read from HDFS
     * @param end hears when it is over
     */
    public Turn(String from, @Nullable Cache cache, End end) {
      this.from = from;
      this.cache = cache;
      this.end = end;
    }

    /** Host to read from; empty for any. */
    public String from() {
      return from;
    }

    /** The cache to read from; null when it is to be read from HDFS. */
    @Nullable public Cache cache() {
      return cache;
    }

    /** So much came from the cache. */
    public void fromCache(long bytes) {
      bytesFromCache = bytes;
    }

    /** All was read. */
    public void done() {
      whole = true;
    }

    @Override
    public void close() {
      end.over(whole, bytesFromCache);
    }
  }

  /** Whether a file of this size has to wait for its turn. */
  boolean concerns(long bytes);

  /**
   * Waits for a turn.
   *
   * @param want what is to be read
   * @param holders is asked again while this one waits
   * @throws java.io.InterruptedIOException when the thread is told to stop meanwhile
   * @throws IOException as the holders do
   */
  Turn take(Want want, Holders holders) throws IOException;
}
