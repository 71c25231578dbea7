package dev.weir.workflow.store;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The content of an HDFS file that was read in a batch.
 *
 * @param local whether it came from this node
 * @param nanos its share of the batch's time
 */
@SuppressWarnings("ArrayRecordComponent") // is only written, never compared
record ReadAhead(byte[] content, boolean local, long nanos, String from) {

  /**
   * Writes it to a file.
   *
   * @param target as in {@link DataStore.Source#fetch}
   * @throws IOException when it cannot be written; then the file does not exist
   */
  Fetched write(Path target) throws IOException {
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
    return local
        ? Fetched.local(content.length, nanos, Checksum.of(crc))
        : Fetched.remote(content.length, nanos, Checksum.of(crc), from);
  }
}
