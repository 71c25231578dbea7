package dev.weir.workflow.transfer;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore.Fetched;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The content of a file that was read in a batch.
 *
 * @param origin where it came from
 * @param nanos its share of the batch's time
 * @param from the host that it came from
 */
@SuppressWarnings("ArrayRecordComponent") // is only written, never compared
public record ReadAhead(byte[] content, Origin origin, long nanos, String from) {

  /** Where a content came from. */
  public enum Origin {
    /** The DataNode of this node. */
    LOCAL,
    /** The DataNode of another node. */
    REMOTE,
    /** The store of another node. */
    CACHE
  }

  /**
   * Writes it to a file.
   *
   * @param target as in {@link DataStore.Source#fetch}
   * @throws IOException when it cannot be written; then the file does not exist
   */
  public Fetched write(Path target) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(content);
    boolean done = false;
    try (OutputStream out = LocalFiles.createReadOnly(target)) {
      out.write(content);
      done = true;
    } finally {
      if (!done) {
        Files.deleteIfExists(target);
      }
    }
    return switch (origin) {
      case LOCAL -> Fetched.local(content.length, nanos, Checksum.of(crc));
      case REMOTE -> Fetched.remote(content.length, nanos, Checksum.of(crc), from);
      case CACHE -> Fetched.otherCache(content.length, nanos, Checksum.of(crc), from);
    };
  }
}
