package dev.weir.workflow.transfer;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore.Fetched;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * A copy that is being made of what is read from HDFS: it counts from where each byte came, how
 * long reading took, and the checksum. For one thread, which reads between its calls.
 */
public final class CountedCopy {

  private final OutputStream out;
  private final CRC32C crc = new CRC32C();
  private long localBytes;
  private long remoteBytes;
  private long localNanos;
  private long remoteNanos;
  private long mark;

  /**
   * A copy of which nothing is there yet; to be made right before the first read.
   *
   * @param out takes it; not closed by this
   */
  public CountedCopy(OutputStream out) {
    this.out = out;
    this.mark = System.nanoTime();
  }

  /**
   * Adds what was read since the last call.
   *
   * @param local whether it came from this node
   * @throws IOException when it cannot be written
   */
  public void add(byte[] buffer, int length, boolean local) throws IOException {
    long nanos = System.nanoTime() - mark;
    if (local) {
      localBytes += length;
      localNanos += nanos;
    } else {
      remoteBytes += length;
      remoteNanos += nanos;
    }
    out.write(buffer, 0, length);
    crc.update(buffer, 0, length);
    mark = System.nanoTime();
  }

  /** What was copied up to now. */
  public Fetched fetched() {
    return new Fetched(localBytes, remoteBytes, 0, localNanos, remoteNanos, Checksum.of(crc));
  }
}
