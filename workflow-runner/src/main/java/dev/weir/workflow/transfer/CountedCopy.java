package dev.weir.workflow.transfer;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore.Fetched;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Copies what is read from HDFS, and measures local and remote bytes, the time spent reading, and
 * the checksum. Confined to one thread, which reads between calls.
 */
public final class CountedCopy {

  private final OutputStream out;
  private final CRC32C crc = new CRC32C();
  private long localBytes;
  private long remoteBytes;
  private long localNanos;
  private long remoteNanos;
  private final Map<String, Long> fromNodes = new HashMap<>();
  private final String node;
  private long mark;

  /**
   * Creates an empty copy; call this right before the first read, because the time starts here.
   *
   * @param out receives the bytes; not closed by this class
   * @param node host name of this node
   */
  public CountedCopy(OutputStream out, String node) {
    this.out = out;
    this.node = node;
    this.mark = System.nanoTime();
  }

  /**
   * Adds the bytes read since the last call.
   *
   * @param from host name of the node that they came from; empty if unknown
   */
  public void add(byte[] buffer, int length, String from) throws IOException {
    long nanos = System.nanoTime() - mark;
    if (from.equals(node)) {
      localBytes += length;
      localNanos += nanos;
    } else {
      remoteBytes += length;
      remoteNanos += nanos;
      if (!from.isEmpty()) {
        fromNodes.merge(from, (long) length, Long::sum);
      }
    }
    out.write(buffer, 0, length);
    crc.update(buffer, 0, length);
    mark = System.nanoTime();
  }

  /** Returns the measurements up to now. */
  public Fetched fetched() {
    return new Fetched(
        localBytes,
        remoteBytes,
        0,
        localNanos,
        remoteNanos,
        Checksum.of(crc),
        Map.copyOf(fromNodes),
        Map.of());
  }
}
