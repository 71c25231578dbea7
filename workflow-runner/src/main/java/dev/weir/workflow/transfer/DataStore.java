package dev.weir.workflow.transfer;

import dev.weir.workflow.protocol.CommitMark;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Where inputs come from and outputs go to. Any thread may use it. */
public interface DataStore {

  /** How many files are read in one go. */
  int MOST_TOGETHER = 32;

  /**
   * What a fetch moved.
   *
   * @param localBytes bytes read on this node
   * @param remoteBytes bytes read from other nodes
   * @param cachedBytes bytes that this node had from an earlier fetch
   * @param localNanos time spent reading on this node
   * @param remoteNanos time spent reading from other nodes
   * @param crc32c of the one file that was fetched; {@link Checksum#UNKNOWN} for several together
   */
  record Fetched(
      long localBytes,
      long remoteBytes,
      long cachedBytes,
      long localNanos,
      long remoteNanos,
      long crc32c) {

    public static final Fetched NOTHING = new Fetched(0, 0, 0, 0, 0, Checksum.UNKNOWN);

    /** What was read on this node. */
    public static Fetched local(long bytes, long nanos, long crc32c) {
      return new Fetched(bytes, 0, 0, nanos, 0, crc32c);
    }

    /** What was read from another node. */
    public static Fetched remote(long bytes, long nanos, long crc32c) {
      return new Fetched(0, bytes, 0, 0, nanos, crc32c);
    }

    /** What came out of this node's cache. */
    public static Fetched cached(long bytes, long crc32c) {
      return new Fetched(0, 0, bytes, 0, 0, crc32c);
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
          Checksum.UNKNOWN);
    }
  }

  /**
   * What a put left in the store.
   *
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param crc32c CRC32C of the content
   * @param fileId the number of the file, which a rename keeps; 0 when it is not known
   */
  record Stored(Map<String, Long> bytesByHost, long crc32c, long fileId) {}

  /**
   * A content that a file had.
   *
   * @param id of the file; one that is made anew under its name has another
   * @param length in bytes
   * @param modifiedMillis when it was last written, in milliseconds since the epoch
   */
  record Version(long id, long length, long modifiedMillis) {}

  /** A file of the store as it was when the store was asked for it. */
  interface Source {

    /** Absolute path in the store. */
    String path();

    /** Which content it is; empty when that cannot be told, as of a file that is being written. */
    Optional<Version> version();

    /**
     * Copies it to the local disk.
     *
     * @param target a file that does not exist yet, in a directory that does; it is made read-only,
     *     and is not there when this throws
     * @return what was moved
     * @throws ContentChangedException when the content is not the one of {@link #version} any more
     * @throws InputLostException when the store has lost the file
     * @throws IOException when it cannot be copied for another reason
     */
    Fetched fetch(Path target) throws IOException;

    /**
     * With which others it is read in one go ({@link DataStore#readTogether}).
     *
     * @return the same for all of these; empty for a file that is read alone
     */
    default String together() {
      return "";
    }

    /**
     * Copies it to where this node gives it to others, also while it comes.
     *
     * @param target as of {@link #fetch}; grows from its beginning to its end
     * @param again is told before it is written anew from its beginning, after which it is given to
     *     nobody until it is whole
     * @return what was moved
     * @throws IOException as {@link #fetch} does
     */
    default Fetched fetchToShare(Path target, Runnable again) throws IOException {
      return fetch(target);
    }

    /**
     * Copies it ahead of the tasks that will read it.
     *
     * @param target as of {@link #fetch}
     * @param from host to read it from
     * @param pace puts itself between the copy and its target, to make it wait
     * @return what was moved
     * @throws IOException as {@link #fetch} does
     */
    default Fetched fetchAhead(Path target, String from, UnaryOperator<OutputStream> pace)
        throws IOException {
      return fetch(target);
    }

    /**
     * A task has altered what was fetched: it must not be given to others.
     *
     * @return whether this is the first to be said of it; false when each fetch makes a copy
     */
    default boolean spoiled() {
      return false;
    }

    /**
     * Whether what was fetched last is the very file that another task of this node made: something
     * of that task which has escaped its end may still write to it.
     */
    default boolean isHandedOn() {
      return false;
    }
  }

  /**
   * Asks for whole files, in as few questions as possible.
   *
   * @param wanted the files
   * @return those that are there, by path
   * @throws IOException when the store does not answer
   */
  Map<String, Source> find(Collection<FileSlot> wanted) throws IOException;

  /**
   * Reads tiny files in one go, into memory, where the next {@link Source#fetch} of each finds it.
   * Never fails: a file that does not come is read when it is fetched. To be followed by the
   * fetches at once, on the same thread.
   *
   * @param sources of this store, with the same {@link Source#together}; no more than {@link
   *     #MOST_TOGETHER}
   */
  void readTogether(List<Source> sources);

  /**
   * Copies a region of a file of the store to the local disk.
   *
   * @param slot the region
   * @param target a file that does not exist yet, in a directory that does; it is made read-only
   * @return what was moved
   * @throws InputLostException when the store has lost the file
   * @throws IOException when it cannot be copied for another reason, such as a file that ends
   *     before the region does
   */
  Fetched fetchRegion(FileSlot slot, Path target) throws IOException;

  /**
   * Where the blocks of a file are that was put there.
   *
   * @param path absolute path in the store
   * @return its blocks in order
   * @throws java.io.FileNotFoundException when there is no such file
   * @throws IOException when it is not known
   */
  List<BlockExtent> extents(String path) throws IOException;

  /**
   * Makes one file of several, which are gone afterwards, without moving their bytes.
   *
   * @param regions absolute paths in the store, in order, in the directory of the target
   * @param target absolute path in the store, of a file that does not exist, but for what an
   *     earlier such call has left
   * @return those that the store has lost; when there are any nothing is done
   * @throws IOException when they cannot be joined
   */
  List<String> join(List<String> regions, String target) throws IOException;

  /**
   * Looks for files by what their names begin with.
   *
   * @param beginning absolute path in the store, of which the end is missing
   * @param bytes how long they are
   * @return their absolute paths, that of the file which was written last first
   * @throws IOException when the store does not answer
   */
  List<String> named(String beginning, long bytes) throws IOException;

  /** A file on its way into the store. */
  interface Writing extends AutoCloseable {

    /** Appends. */
    void write(byte[] bytes, int length) throws IOException;

    /** Completes the file. */
    Stored finish() throws IOException;

    /** Removes the file unless it is complete. */
    @Override
    void close();
  }

  /**
   * Begins to write a file into the store, making directories as needed.
   *
   * @param path absolute path in the store; replaced when it exists
   * @return to be finished, or closed
   * @throws IOException when it cannot be made
   */
  Writing begin(String path) throws IOException;

  /**
   * Copies a local file into the store, making directories as needed.
   *
   * @param source a regular file
   * @param path absolute path in the store; replaced when it exists
   * @return what is in the store
   * @throws IOException when it cannot be copied
   */
  Stored put(Path source, String path) throws IOException;

  /**
   * Renames in one step, replacing the target when it exists.
   *
   * @param from absolute path in the store
   * @param to absolute path in the store
   * @throws IOException when it cannot be renamed
   */
  void commit(String from, String to) throws IOException;

  /**
   * Notes with a file which others are committed with it, so that they can be taken back by whoever
   * finds it under its temporary name when nobody renames it any more.
   *
   * @param temporary absolute path in the store of the one that is renamed last
   * @param mark which they are
   * @throws IOException when the file is gone, or the store does not answer; not when the store
   *     takes no such notes
   */
  void mark(String temporary, CommitMark mark) throws IOException;

  /**
   * Removes a file whatever its name is by now; one that is gone, or that another has replaced, is
   * no error.
   *
   * @param fileId its number, as of {@link Stored}
   * @throws IOException when it cannot be removed
   */
  void remove(long fileId) throws IOException;

  /**
   * Removes a file; one that does not exist is no error.
   *
   * @param path absolute path in the store
   * @throws IOException when it cannot be removed
   */
  void remove(String path) throws IOException;

  /**
   * An output that is stored under its temporary name.
   *
   * @param temporary that name, as an absolute path in the store
   * @param path the path that it will have
   * @param file where it is on the local disk
   * @param facts what it was like before it was stored
   * @param stored what is in the store
   */
  record Made(String temporary, String path, Path file, Facts facts, Stored stored) {}

  /**
   * Prepares to hand outputs on to tasks of this node, so that they need not fetch them. Asks in as
   * few questions as possible.
   *
   * @return what does so when the outputs have their names; it moves files away from where they
   *     are, or leaves them there, and never fails
   */
  default Runnable handingOn(Collection<Made> outputs) {
    return () -> {};
  }

  /** Host name of this node, as the store names it. */
  String node();
}
