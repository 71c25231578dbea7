package dev.weir.workflow.transfer;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The store that inputs come from and outputs go to. Thread-safe. */
public interface DataStore {

  /** The largest number of files that are read in one batch. */
  int MAX_BATCH = 32;

  /**
   * What a fetch moved.
   *
   * @param localBytes bytes read on this node
   * @param remoteBytes bytes read from other nodes
   * @param cachedBytes bytes that this node had from an earlier fetch
   * @param localNanos time spent reading on this node
   * @param remoteNanos time spent reading from other nodes
   * @param crc32c of the fetched file; {@link Checksum#UNKNOWN} for the sum of several files
   * @param fromNodes bytes read from the DataNodes of other nodes, by host; empty for the sum of
   *     several files
   * @param fromCaches bytes read from the caches of other nodes, by host; empty for the sum of
   *     several files
   */
  record Fetched(
      long localBytes,
      long remoteBytes,
      long cachedBytes,
      long localNanos,
      long remoteNanos,
      long crc32c,
      Map<String, Long> fromNodes,
      Map<String, Long> fromCaches) {

    public static final Fetched NOTHING =
        new Fetched(0, 0, 0, 0, 0, Checksum.UNKNOWN, Map.of(), Map.of());

    /** Bytes that were read on this node. */
    public static Fetched local(long bytes, long nanos, long crc32c) {
      return new Fetched(bytes, 0, 0, nanos, 0, crc32c, Map.of(), Map.of());
    }

    /**
     * Bytes that were read from the DataNode of another node.
     *
     * @param from its host name
     */
    public static Fetched remote(long bytes, long nanos, long crc32c, String from) {
      return new Fetched(0, bytes, 0, 0, nanos, crc32c, Map.of(from, bytes), Map.of());
    }

    /**
     * Bytes that were read from the cache of another node.
     *
     * @param from its host name; empty if unknown
     */
    public static Fetched otherCache(long bytes, long nanos, long crc32c, String from) {
      return new Fetched(
          0, bytes, 0, 0, nanos, crc32c, Map.of(), from.isEmpty() ? Map.of() : Map.of(from, bytes));
    }

    /** Bytes that came from this node's cache. */
    public static Fetched cached(long bytes, long crc32c) {
      return new Fetched(0, 0, bytes, 0, 0, crc32c, Map.of(), Map.of());
    }

    /** Size of the file, or of all files together. */
    public long bytes() {
      return localBytes + remoteBytes + cachedBytes;
    }

    Fetched plus(Fetched other) {
      return new Fetched(
          localBytes + other.localBytes,
          remoteBytes + other.remoteBytes,
          cachedBytes + other.cachedBytes,
          localNanos + other.localNanos,
          remoteNanos + other.remoteNanos,
          Checksum.UNKNOWN,
          Map.of(),
          Map.of());
    }
  }

  /**
   * The result of a put.
   *
   * @param bytesByHost number of bytes on each host that holds some of the file
   * @param crc32c CRC32C of the content
   * @param fileId the file's inode number, which a rename preserves; 0 when it is unknown
   */
  record Stored(Map<String, Long> bytesByHost, long crc32c, long fileId) {}

  /**
   * A version of a file's content.
   *
   * @param id inode number of the file; a new file of the same name has another
   * @param length in bytes
   * @param modifiedMillis time of the last write, in milliseconds since the epoch
   */
  record Version(long id, long length, long modifiedMillis) {}

  /** A file of the store as it was when the store was asked for it. */
  interface Source {

    /** Absolute path in the store. */
    String path();

    /**
     * The version of its content; empty when it is unknown, as for a file that is being written.
     */
    Optional<Version> version();

    /**
     * Copies the file to the local disk.
     *
     * @param target a file that does not exist yet, in an existing directory; it becomes read-only,
     *     and does not exist when this method throws
     * @throws ContentChangedException when the content is no longer that of {@link #version}
     * @throws InputLostException when the store has lost the file
     * @throws IOException when it cannot be copied for another reason
     */
    Fetched fetch(Path target) throws IOException;

    /**
     * Key of the batch in which this file may be read ({@link DataStore#readBatch}).
     *
     * @return equal for the files of a batch; empty for a file that is read alone
     */
    default String batchKey() {
      return "";
    }

    /**
     * Copies the file to where this node serves it to others, even while the copy grows.
     *
     * @param target as in {@link #fetch}; grows from its beginning to its end
     * @param onRestart called before the copy restarts from its beginning, after which it is not
     *     served until it is complete
     * @throws IOException as {@link #fetch} does
     */
    default Fetched fetchToShare(Path target, Runnable onRestart) throws IOException {
      return fetch(target);
    }

    /**
     * Reports that a task altered the fetched file, which must not be served to others.
     *
     * @return whether this is the first such report; false when each fetch makes a copy
     */
    default boolean markAltered() {
      return false;
    }

    /**
     * Returns whether the last fetch linked the very file that another task of this node wrote: a
     * process that escaped the end of that task may still write to it.
     */
    default boolean isLocalOutput() {
      return false;
    }
  }

  /**
   * Looks whole files up, in as few requests as possible.
   *
   * @return the existing files, by path
   */
  Map<String, Source> find(Collection<FileSlot> wanted) throws IOException;

  /**
   * Reads tiny files in one batch into memory, from which the next {@link Source#fetch} of each
   * takes them. Never fails: a missing file is read when it is fetched. The fetches must follow at
   * once, on the same thread.
   *
   * @param sources of this store, with the same {@link Source#batchKey}; no more than {@link
   *     #MAX_BATCH}
   */
  void readBatch(List<Source> sources);

  /**
   * Copies a region of a file to the local disk.
   *
   * @param target a file that does not exist yet, in an existing directory; it becomes read-only
   * @throws InputLostException when the store has lost the file
   * @throws IOException when it cannot be copied for another reason, such as a file that ends
   *     before the region does
   */
  Fetched fetchRegion(FileSlot slot, Path target) throws IOException;

  /**
   * Locates the blocks of a stored file.
   *
   * @param path absolute path in the store
   * @return its blocks in order
   * @throws java.io.FileNotFoundException when there is no such file
   */
  List<BlockExtent> extents(String path) throws IOException;

  /**
   * Concatenates files without moving their bytes; the parts no longer exist afterwards.
   *
   * @param regions absolute paths in the store, in order, in the directory of the target
   * @param target absolute path in the store, of a file that does not exist unless an earlier such
   *     call left it
   * @return the parts that the store has lost; when there are any, nothing is done
   */
  List<String> join(List<String> regions, String target) throws IOException;

  /**
   * Finds files by the prefix and the length.
   *
   * @param prefix absolute path in the store without its end
   * @return their absolute paths, the most recently written file first
   */
  List<String> findByPrefix(String prefix, long bytes) throws IOException;

  /**
   * Copies a local file into the store, creating directories as needed.
   *
   * @param source a regular file
   * @param path absolute path in the store; an existing file is replaced
   */
  Stored put(Path source, String path) throws IOException;

  /**
   * Renames atomically, replacing the target when it exists.
   *
   * @param from absolute path in the store
   * @param to absolute path in the store
   */
  void commit(String from, String to) throws IOException;

  /**
   * Attaches a mark to a file that lists the files committed with it. When a commit was abandoned
   * midway, the finder of the temporary file removes the others with it.
   *
   * @param temporary absolute path in the store of the file that is renamed last
   * @throws IOException when the file no longer exists, or the store does not answer; not when the
   *     store does not support marks
   */
  void mark(String temporary, CommitAttribute mark) throws IOException;

  /**
   * Removes a file under its current name; a file that no longer exists or was replaced is no
   * error.
   *
   * @param fileId its inode number, see {@link Stored}
   */
  void remove(long fileId) throws IOException;

  /**
   * Removes a file; a missing file is no error.
   *
   * @param path absolute path in the store
   */
  void remove(String path) throws IOException;

  /**
   * An output that is stored under its temporary name.
   *
   * @param temporary the temporary name, as an absolute path in the store
   * @param path its final path
   * @param file its place on the local disk
   * @param facts attributes of the local file before it was stored
   */
  record StoredOutput(String temporary, String path, Path file, Facts facts, Stored stored) {}

  /**
   * Prepares to give outputs to later tasks of this node, which then need not fetch them. Uses as
   * few requests as possible.
   *
   * @return the action to run once the outputs have their final names; it moves the local files
   *     away or leaves them, and never fails
   */
  default Runnable prepareLocalReuse(Collection<StoredOutput> outputs) {
    return () -> {};
  }

  /** An output that is about to be committed to the store of this node. */
  interface Kept {

    /** CRC32C of its content. */
    long crc32c();

    /** The time that identifies it, in milliseconds since the epoch. */
    long millis();

    /** Moves the file into the store of the node, despite interrupts. */
    void commit() throws IOException;

    /** Removes the file from the store of the node, unless it was not committed. Never fails. */
    void undo();
  }

  /**
   * Prepares to commit an output to the store of this node, from which other nodes read it.
   *
   * @param file a regular file that the command has written
   * @param path absolute path that the output would have in HDFS
   * @return empty when the node has no store, no room in it, or cannot move the file
   */
  default Optional<Kept> keep(Path file, String path) throws IOException {
    return Optional.empty();
  }

  /** Returns the size of this node's cache; 0 without a cache. */
  default long cachedBytes() {
    return 0;
  }

  /** Host name of this node, as the store knows it. */
  String node();
}
