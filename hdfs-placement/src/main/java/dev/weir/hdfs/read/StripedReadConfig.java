package dev.weir.hdfs.read;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * The settings of reads from several replicas.
 *
 * @param isEnabled whether large files are read so
 * @param minBytes the length of the smallest such file
 * @param maxChunks the most chunks that all streams of the process hold and fetch together
 */
public record StripedReadConfig(boolean isEnabled, long minBytes, int maxChunks) {
  /** Whether large files are read from several replicas; the default is false. */
  public static final String ENABLED_KEY = "weir.client.read.stripe.enabled";

  /** The length of the smallest file that is read so; the default is 32 MiB. */
  public static final String MIN_KEY = "weir.client.read.stripe.min";

  /** The most memory of all streams of a process; the default is 128 MiB. */
  public static final String MEMORY_KEY = "weir.client.read.stripe.memory";

  /** A chunk begins at a multiple of this from the start of its block, so at a checksum. */
  public static final int CHUNK_BYTES = 4 << 20;

  /** At most this part of the heap is used, whatever the setting says. */
  private static final int HEAP_DIVISOR = 8;

  /** All files are read as in stock HDFS. */
  public static StripedReadConfig disabled() {
    return new StripedReadConfig(false, 0, 0);
  }

  /**
   * Reads the settings. Hedged reads switch striping off, because they choose replicas themselves.
   *
   * @throws IllegalArgumentException if a value is not a number of bytes
   */
  public static StripedReadConfig of(Configuration conf) {
    boolean hedged = conf.getInt(HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY, 0) > 0;
    if (!conf.getBoolean(ENABLED_KEY, false) || hedged) {
      return disabled();
    }
    long memory =
        Math.min(
            conf.getLongBytes(MEMORY_KEY, 128 << 20),
            Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    int chunks = (int) Math.min(Integer.MAX_VALUE, memory / CHUNK_BYTES);
    return new StripedReadConfig(chunks > 1, conf.getLongBytes(MIN_KEY, 32 << 20), chunks);
  }
}
