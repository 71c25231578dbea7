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
 * Creates small files of one block in HDFS with at most three requests to the NameNode and one
 * message to the DataNodes, on the caller's thread. Hadoop's own stream starts two threads for each
 * file, and can repair a broken pipeline. Here that stream writes the file again after a failure,
 * which costs only the time of the first try. The resulting files are the same. Thread-safe.
 */
final class SmallFiles {

  /** A file is kept in memory meanwhile, and written again when a pipeline breaks. */
  static final int MAX_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(SmallFiles.class);

  /**
   * After this many failures in a row, for files that Hadoop's stream could write, this class is
   * disabled.
   */
  private static final int MAX_FAILURES = 3;

  /** Sites that pin blocks to nodes create files in a different way. */
  private static final String PINNING_KEY = "dfs.datanode.block-pinning.enabled";

  /** This subclass only changes replication and block size, which this class asks it for. */
  private static final String WEIR_FILE_SYSTEM = "dev.weir.hdfs.WeirFileSystem";

  private final DistributedFileSystem fs;
  private final DFSClient client;
  private final SmallBlock blocks;
  private final BlockReportDelay lag = new BlockReportDelay();
  private final AtomicInteger failures = new AtomicInteger();

  /**
   * Creates an instance for a file system.
   *
   * @param fs supplies replication and block size of new files
   * @param client supplies connections, settings and its name
   */
  SmallFiles(DistributedFileSystem fs, DFSClient client) {
    this.fs = fs;
    this.client = client;
    this.blocks =
        new SmallBlock(client, NetUtils.getSocketFactory(fs.getConf(), ClientProtocol.class));
    if (!isStandard(fs)) {
      failures.set(MAX_FAILURES);
    }
  }

  /** Hadoop's way of writing the file. */
  interface Fallback {

    /**
     * Writes the file, replacing what exists of it.
     *
     * @throws IOException when it cannot
     */
    Stored write() throws IOException;
  }

  /** Returns whether the file system creates files as Hadoop does. */
  private static boolean isStandard(DistributedFileSystem fs) {
    Configuration conf = fs.getConf();
    Class<?> type = fs.getClass();
    return (type == DistributedFileSystem.class || type.getName().equals(WEIR_FILE_SYSTEM))
        && !conf.getBoolean(PINNING_KEY, false)
        && conf.getTrimmedStrings(HdfsClientConfigKeys.DFS_CLIENT_LOCAL_INTERFACES).length == 0;
  }

  /**
   * Writes a file, replacing an existing one.
   *
   * @param content all of it; no more than {@link #MAX_BYTES} and than a block
   * @param packetBytes content bytes in a packet
   * @param file absolute, without scheme
   * @param fallback writes it when this class cannot
   * @return what is in the store
   * @throws IOException when both ways fail, or HDFS is down
   */
  Stored put(byte[] content, int packetBytes, Path file, Fallback fallback) throws IOException {
    if (failures.get() >= MAX_FAILURES || !DFSUtilClient.isValidName(file.toUri().getPath())) {
      return fallback.write();
    }
    Throwable problem = null;
    try {
      Stored stored = write(content, packetBytes, file);
      if (stored != null) {
        failures.set(0);
        return stored;
      }
      LOG.info(
          "Small files are written by Hadoop's own stream: {} is erasure-coded or encrypted", file);
      failures.set(MAX_FAILURES);
    } catch (IOException | RuntimeException | LinkageError e) {
      // LinkageError: the installed Hadoop may differ from the one this was compiled with.
      if (Thread.currentThread().isInterrupted() || FailureClassifier.isInterrupt(e)) {
        remove(file);
        throw e;
      }
      if (HdfsOutages.isOutage(e)) {
        // The fallback would fail likewise, after as long.
        throw e;
      }
      LOG.info("Writing {} again by Hadoop's own stream: {}", file, String.valueOf(e));
      problem = e;
    }
    return writeByFallback(fallback, problem);
  }

  private Stored writeByFallback(Fallback fallback, @Nullable Throwable problem)
      throws IOException {
    try {
      Stored stored = fallback.write();
      if (problem != null && failures.incrementAndGet() == MAX_FAILURES) {
        LOG.warn("Small files are written by Hadoop's own stream from now on", problem);
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
   * Returns null for a file that only Hadoop's own stream can write, which then holds for all of
   * its directory. The file then exists but is not closed.
   */
  private @Nullable Stored write(byte[] content, int packetBytes, Path file) throws IOException {
    String name = file.toUri().getPath();
    HdfsFileStatus created = create(name, file);
    if (!isPlain(created)) {
      return null;
    }
    if (content.length > created.getBlockSize()) {
      throw new IOException(
          name + " has more than a block: " + content.length + " > " + created.getBlockSize());
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
                  created.getFileId(),
                  null,
                  EnumSet.noneOf(AddBlockFlag.class));
      blocks.send(place, created.getBlockSize(), content, packetBytes);
      for (DatanodeInfo node : place.getLocations()) {
        places.put(node.getHostName(), (long) content.length);
      }
      block = new ExtendedBlock(place.getBlock());
      block.setNumBytes(content.length);
    }
    complete(name, block, created.getFileId());
    CRC32C crc = new CRC32C();
    crc.update(content);
    return new Stored(places, Checksum.of(crc), created.getFileId());
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

  private static boolean isPlain(HdfsFileStatus created) {
    return created.getErasureCodingPolicy() == null
        && created.getFileEncryptionInfo() == null
        && created.getStoragePolicy() != HdfsConstants.MEMORY_STORAGE_POLICY_ID;
  }

  /**
   * Completes the file, which the NameNode accepts only after it has learned of the block, a moment
   * later.
   */
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
        throw new IOException(
            "the NameNode has not received a report of the block of " + name + ": " + block);
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
      throw new InterruptedIOException("interrupted before " + name + " was complete");
    }
  }
}
