package dev.weir.workflow.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files in HDFS with a packet size that suits the length of the pipeline. An HDFS client
 * has one packet size for all of its files. So there is one more client for each other size in use;
 * they share the connection to the NameNode. Thread-safe.
 */
final class HdfsFileCreator {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsFileCreator.class);

  /** Length of a file that is still being written; its blocks are assumed to become full. */
  static final long UNKNOWN_LENGTH = Long.MAX_VALUE;

  private final DistributedFileSystem fs;
  private final Opener opener;

  /** Bandwidth of a link; 0 when all files have the usual packets. */
  private final long bytesPerSecond;

  /** The packet size that HDFS is configured with. */
  private final int usual;

  /** File systems by packet size. */
  private final Map<Integer, DistributedFileSystem> otherClients = new HashMap<>();

  /** Opens a file system with other settings. */
  interface Opener {
    /**
     * Opens it.
     *
     * @throws IOException when it cannot be opened
     */
    DistributedFileSystem open(Configuration conf) throws IOException;
  }

  /**
   * Creates an instance for a file system.
   *
   * @param bytesPerSecond bandwidth of a link; 0 when all files have the usual packets
   * @param opener opens further ones, which stay open for the life of the process
   */
  HdfsFileCreator(DistributedFileSystem fs, long bytesPerSecond, Opener opener) {
    this.fs = fs;
    this.bytesPerSecond = bytesPerSecond;
    this.opener = opener;
    this.usual =
        fs.getConf()
            .getInt(
                HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY,
                HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_DEFAULT);
  }

  /**
   * Creates or truncates a file.
   *
   * @param length its future length, or {@link #UNKNOWN_LENGTH}
   */
  FSDataOutputStream create(Path path, long length) throws IOException {
    if (bytesPerSecond == 0) {
      return fs.create(path, true);
    }
    short replicas = fs.getDefaultReplication(path);
    long block = fs.getDefaultBlockSize(path);
    int packet = packetBytes(replicas, Math.min(length, block));
    return clientFor(packet).create(path, true, bufferSize(), replicas, block);
  }

  private int packetBytes(short replicas, long length) {
    return bytesPerSecond == 0 ? usual : PacketSize.of(replicas, length, bytesPerSecond, usual);
  }

  private int bufferSize() {
    return fs.getConf()
        .getInt(
            CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY,
            CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT);
  }

  private DistributedFileSystem clientFor(int packet) {
    return packet == usual ? fs : otherClient(packet);
  }

  private synchronized DistributedFileSystem otherClient(int packet) {
    DistributedFileSystem open = otherClients.get(packet);
    if (open == null) {
      open = open(packet);
      otherClients.put(packet, open);
    }
    return open;
  }

  /** A failure is not retried, because each file would wait for that. */
  private DistributedFileSystem open(int packet) {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY, packet);
    // Keeps the number of bytes in flight.
    conf.setInt(
        HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_KEY,
        usual
            / packet
            * conf.getInt(
                HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_KEY,
                HdfsClientConfigKeys.Write.MAX_PACKETS_IN_FLIGHT_DEFAULT));
    try {
      return opener.open(conf);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot open a client with packets of {} bytes; using the usual ones", packet, e);
      return fs;
    }
  }
}
