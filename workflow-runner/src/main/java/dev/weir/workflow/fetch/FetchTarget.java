package dev.weir.workflow.fetch;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The local file into which a file is fetched, with the checksum of its content so far. Used by one
 * thread at a time.
 */
final class FetchTarget implements Closeable {

  private static final Map<String, String> ALGORITHMS =
      Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");

  private final FileChannel channel;
  private final String checksum;
  private final @Nullable MessageDigest digest;
  private final BooleanSupplier late;
  private volatile long position;
  private volatile long total = RemoteStatus.UNKNOWN;
  private volatile String version = "";

  /** The time limit of the task is over. */
  static final class LateException extends IOException {
    private static final long serialVersionUID = 1L;

    LateException() {
      super("the time limit is over");
    }
  }

  FetchTarget(Path file, String checksum, BooleanSupplier late) throws IOException {
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    this.checksum = checksum;
    this.digest = checksum.isEmpty() ? null : digest(checksum);
    this.late = late;
  }

  private static MessageDigest digest(String checksum) {
    String name = checksum.substring(0, checksum.indexOf(':'));
    try {
      return MessageDigest.getInstance(ALGORITHMS.getOrDefault(name, name));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no " + name, e);
    }
  }

  /** Returns whether a checksum is declared. */
  boolean hasChecksum() {
    return digest != null;
  }

  /** Returns how many bytes the file has so far. */
  long position() {
    return position;
  }

  /** Returns the version of the content whose first bytes the file has; empty if unknown. */
  String version() {
    return version;
  }

  /**
   * Prepares the file for further bytes.
   *
   * @param from from which byte they come: the position, or 0 for a new start
   * @param length the length of the whole file; {@link RemoteStatus#UNKNOWN} if not known
   * @param identity the version of the content; empty if unknown
   */
  void begin(long from, long length, String identity) throws IOException {
    if (from != 0 && from != position) {
      throw new IOException("bytes from " + position + " were requested, and come from " + from);
    }
    if (from == 0 && position > 0) {
      channel.truncate(0);
      position = 0;
      if (digest != null) {
        digest.reset();
      }
    }
    total = length;
    version = identity;
  }

  /**
   * Appends bytes.
   *
   * @throws LateException if the time limit is over
   */
  void write(ByteBuffer bytes) throws IOException {
    if (late.getAsBoolean()) {
      throw new LateException();
    }
    ByteBuffer content = bytes.duplicate();
    long end = position;
    while (bytes.hasRemaining()) {
      end += channel.write(bytes, end);
    }
    if (digest != null) {
      digest.update(content);
    }
    position = end;
  }

  /**
   * Requires the whole file, if its length is known.
   *
   * @throws IOException if bytes are missing
   */
  void requireWhole() throws IOException {
    if (total != RemoteStatus.UNKNOWN && position != total) {
      throw new IOException("the connection ended after " + position + " of " + total + " bytes");
    }
  }

  /**
   * Requires the declared checksum, if there is one.
   *
   * @throws FetchException if the content has another one
   */
  void requireChecksum() throws FetchException {
    if (digest == null) {
      return;
    }
    String name = checksum.substring(0, checksum.indexOf(':') + 1);
    String found = name + HexFormat.of().formatHex(digest.digest());
    if (!found.equals(checksum)) {
      throw new FetchException(
          Result.FAILED,
          "its "
              + position
              + " bytes have the checksum "
              + found
              + ", and the workflow declares "
              + checksum
              + ": correct the workflow if the file was replaced on purpose, else ask its"
              + " provider");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
