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
 * Creates files in HDFS with packets of a size that suits how many nodes pass them on. An HDFS
 * client has one size for all of its files, so there is one more client for each other size that
 * was needed; they share the connection to the NameNode. For any thread.
 */
final class Pipelines {

  private static final Logger LOG = LoggerFactory.getLogger(Pipelines.class);

  /** Of a file that is still being written; its blocks are taken to become full. */
  static final long UNKNOWN_LENGTH = Long.MAX_VALUE;

  private final DistributedFileSystem fs;
  private final Opener opener;

  /** Of a link; 0 where all files have the usual packets. */
  private final long bytesPerSecond;

  /** HDFS's own size of a packet. */
  private final int usual;

  /** By the size of their packets. */
  private final Map<Integer, DistributedFileSystem> others = new HashMap<>();

  /** Opens a file system with settings of its own. */
  interface Opener {
    /**
     * Opens it.
     *
     * @throws IOException when that cannot be done
     */
    DistributedFileSystem open(Configuration conf) throws IOException;
  }

  /**
   * The files of a file system.
   *
   * @param bytesPerSecond of a link; 0 for files that all have the usual packets
   * @param opener of others, which stay open as long as this process lives
   */
  Pipelines(DistributedFileSystem fs, long bytesPerSecond, Opener opener) {
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
   * Makes a file, or empties it.
   *
   * @param length that it will have, or {@link #UNKNOWN_LENGTH}
   */
  FSDataOutputStream create(Path path, long length) throws IOException {
    if (bytesPerSecond == 0) {
      return fs.create(path, true);
    }
    short replicas = fs.getDefaultReplication(path);
    long block = fs.getDefaultBlockSize(path);
    int packet = packetBytes(replicas, Math.min(length, block));
    return with(packet).create(path, true, bufferSize(), replicas, block);
  }

  /**
   * In packets of how many bytes a file is sent.
   *
   * @param length that it will have, not more than a block
   */
  int packetBytes(Path path, long length) {
    return packetBytes(fs.getDefaultReplication(path), length);
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

  private DistributedFileSystem with(int packet) {
    return packet == usual ? fs : other(packet);
  }

  private synchronized DistributedFileSystem other(int packet) {
    DistributedFileSystem open = others.get(packet);
    if (open == null) {
      open = open(packet);
      others.put(packet, open);
    }
    return open;
  }

  /** One that cannot be opened is not tried again, for each file would wait for that. */
  private DistributedFileSystem open(int packet) {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY, packet);
    // As many bytes on their way as before.
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
      LOG.warn("No client with packets of {} bytes; files have the usual ones", packet, e);
      return fs;
    }
  }
}
