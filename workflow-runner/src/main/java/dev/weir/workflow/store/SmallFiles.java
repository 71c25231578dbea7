package dev.weir.workflow.store;

import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore.Stored;
import dev.weir.workflow.transfer.FailureClassifier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files of HDFS of one block that are not large with no more than three questions to the
 * NameNode and one message to the DataNodes, all on the caller's thread. Hadoop's own stream starts
 * two threads for each file, and can mend a pipeline that breaks; here a file that cannot be made
 * at once is made anew by that stream, so nothing is lost but the time of the first try. What the
 * files are like in the end is the same. Any thread may use it.
 */
final class SmallFiles {

  /** A file is in memory meanwhile, and begun anew where a pipeline breaks. */
  static final int MOST_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(SmallFiles.class);

  /** So often in a row the other way has done what this one could not: it is left alone. */
  private static final int MOST_FAILURES = 3;

  /** Who pins blocks where they are put makes files in a way of its own. */
  private static final String PINNING_KEY = "dfs.datanode.block-pinning.enabled";

  /** This changes nothing but replication and block size, for which it is asked. */
  private static final String HINTED = "dev.weir.hdfs.WeirFileSystem";

  private final DistributedFileSystem fs;
  private final DFSClient client;
  private final SmallBlock blocks;
  private final ReportLag lag = new ReportLag();
  private final AtomicInteger failures = new AtomicInteger();

  /**
   * A maker of files.
   *
   * @param fs says what replication and block size files are to have
   * @param client its connections, settings and name are used
   */
  SmallFiles(DistributedFileSystem fs, DFSClient client) {
    this.fs = fs;
    this.client = client;
    this.blocks =
        new SmallBlock(client, NetUtils.getSocketFactory(fs.getConf(), ClientProtocol.class));
    if (!isOrdinary(fs)) {
      failures.set(MOST_FAILURES);
    }
  }

  /** How files are made otherwise. */
  interface Otherwise {

    /**
     * Makes the file, replacing what there is of it.
     *
     * @throws IOException when it cannot
     */
    Stored make() throws IOException;
  }

  /** Whether its files are made as Hadoop makes them. */
  private static boolean isOrdinary(DistributedFileSystem fs) {
    Configuration conf = fs.getConf();
    Class<?> type = fs.getClass();
    return (type == DistributedFileSystem.class || type.getName().equals(HINTED))
        && !conf.getBoolean(PINNING_KEY, false)
        && conf.getTrimmedStrings(HdfsClientConfigKeys.DFS_CLIENT_LOCAL_INTERFACES).length == 0;
  }

  /**
   * Makes a file, replacing what there is.
   *
   * @param content all of it; no more than {@link #MOST_BYTES}, and than a block
   * @param packetBytes how many bytes of it a packet has
   * @param file absolute, without scheme
   * @param otherwise makes it when it cannot be made here
   * @return what is in the store
   * @throws IOException when it cannot be made in either way, or HDFS makes none at all now
   */
  Stored put(byte[] content, int packetBytes, Path file, Otherwise otherwise) throws IOException {
    if (failures.get() >= MOST_FAILURES || !DFSUtilClient.isValidName(file.toUri().getPath())) {
      return otherwise.make();
    }
    Throwable problem = null;
    try {
      Stored stored = make(content, packetBytes, file);
      if (stored != null) {
        failures.set(0);
        return stored;
      }
      LOG.info("Small files are left to Hadoop's own stream: {} is coded or encrypted", file);
      failures.set(MOST_FAILURES);
    } catch (IOException | RuntimeException | LinkageError e) {
      // The last of these where Hadoop is another than the one that this was compiled with.
      if (Thread.currentThread().isInterrupted() || FailureClassifier.isInterrupt(e)) {
        remove(file);
        throw e;
      }
      if (HdfsOutages.isOne(e)) {
        // The other way would fail likewise, after as long.
        throw e;
      }
      LOG.info("{} is made anew by Hadoop's own stream: {}", file, String.valueOf(e));
      problem = e;
    }
    return makeOtherwise(otherwise, problem);
  }

  private Stored makeOtherwise(Otherwise otherwise, @Nullable Throwable problem)
      throws IOException {
    try {
      Stored stored = otherwise.make();
      if (problem != null && failures.incrementAndGet() == MOST_FAILURES) {
        LOG.warn("Small files are made by Hadoop's own stream from now on", problem);
      }
      return stored;
    } catch (IOException e) {
      if (problem != null) {
        e.addSuppressed(problem);
      }
      throw e;
    }
  }

  private void remove(Path file) {
    try {
      fs.delete(file, false);
    } catch (IOException e) {
      LOG.debug("Cannot remove {}", file, e);
    }
  }

  /**
   * Null for a file that only Hadoop's own stream can write, as all of its directory are then:
   * there is one, but it is not closed.
   */
  private @Nullable Stored make(byte[] content, int packetBytes, Path file) throws IOException {
    String name = file.toUri().getPath();
    HdfsFileStatus made = create(name, file);
    if (!isPlain(made)) {
      return null;
    }
    if (content.length > made.getBlockSize()) {
      throw new IOException(
          name + " has more than a block: " + content.length + " > " + made.getBlockSize());
    }
    ExtendedBlock block = null;
    Map<String, Long> places = new HashMap<>();
    if (content.length > 0) {
      LocatedBlock place =
          client
              .getNamenode()
              .addBlock(
                  name,
                  client.getClientName(),
                  null,
                  null,
                  made.getFileId(),
                  null,
                  EnumSet.noneOf(AddBlockFlag.class));
      blocks.send(place, made.getBlockSize(), content, packetBytes);
      for (DatanodeInfo node : place.getLocations()) {
        places.put(node.getHostName(), (long) content.length);
      }
      block = new ExtendedBlock(place.getBlock());
      block.setNumBytes(content.length);
    }
    complete(name, block, made.getFileId());
    CRC32C crc = new CRC32C();
    crc.update(content);
    return new Stored(places, Checksum.of(crc), made.getFileId());
  }

  private HdfsFileStatus create(String name, Path file) throws IOException {
    return client
        .getNamenode()
        .create(
            name,
            FsCreateModes.applyUMask(FsPermission.getFileDefault(), client.getConf().getUMask()),
            client.getClientName(),
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)),
            true,
            fs.getDefaultReplication(file),
            fs.getDefaultBlockSize(file),
            CryptoProtocolVersion.supported(),
            null,
            null);
  }

  private static boolean isPlain(HdfsFileStatus made) {
    return made.getErasureCodingPolicy() == null
        && made.getFileEncryptionInfo() == null
        && made.getStoragePolicy() != HdfsConstants.MEMORY_STORAGE_POLICY_ID;
  }

  /** A file is complete when the NameNode has heard of its block, which is a moment later. */
  private void complete(String name, @Nullable ExtendedBlock block, long id) throws IOException {
    DfsClientConf conf = client.getConf();
    if (block != null) {
      sleep(lag.millis(), name);
    }
    boolean complete = client.getNamenode().complete(name, client.getClientName(), block, id);
    if (block != null) {
      lag.asked(complete);
    }
    long pause = conf.getBlockWriteLocateFollowingInitialDelayMs();
    int retries = conf.getNumBlockWriteLocateFollowingRetry();
    while (!complete) {
      if (retries-- == 0) {
        throw new IOException("the NameNode has not heard of the block of " + name + ": " + block);
      }
      sleep(pause, name);
      pause = Math.min(2 * pause, conf.getBlockWriteLocateFollowingMaxDelayMs());
      complete = client.getNamenode().complete(name, client.getClientName(), block, id);
    }
  }

  private static void sleep(long millis, String name) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("told to stop before " + name + " was complete");
    }
  }
}
