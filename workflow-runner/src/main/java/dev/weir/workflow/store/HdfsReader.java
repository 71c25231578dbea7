package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.cache.CacheKey;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.ContentChangedException;
import dev.weir.workflow.transfer.CountedCopy;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.transfer.ReadAhead;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files of HDFS, and attributes each byte to the DataNode that served it. A file whose status
 * and blocks are known is opened without another request to the NameNode. Thread-safe.
 */
final class HdfsReader {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsReader.class);
  private static final int BUFFER_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final KnownBlocksClient client;
  private final String node;
  private final ReplicaOrder replicaOrder;
  private final String user;

  /** Whether the DataNodes require tokens; a wrong guess costs a request to the NameNode. */
  private final boolean requiresTokens;

  private final TransferScheduler turns;
  private final SmallBlocks smallBlocks;

  HdfsReader(
      DistributedFileSystem fs, KnownBlocksClient client, String node, TransferScheduler turns)
      throws IOException {
    this.turns = turns;
    this.fs = fs;
    this.client = client;
    this.node = node;
    this.replicaOrder = new ReplicaOrder(node, new Random());
    this.user = UserGroupInformation.getCurrentUser().getShortUserName();
    // With Kerberos, HDFS does not start without block tokens.
    this.requiresTokens =
        UserGroupInformation.isSecurityEnabled()
            || fs.getConf().getBoolean("dfs.block.access.token.enable", false);
    this.smallBlocks = new SmallBlocks(client);
  }

  /** Returns the source for a listed file. */
  Source source(String path, HdfsLocatedFileStatus file) {
    return new HdfsSource(path, file);
  }

  /** Does as {@link DataStore#readBatch}. */
  void readBatch(List<Source> sources) {
    List<HdfsSource> files = sources.stream().map(HdfsSource.class::cast).toList();
    List<LocatedBlock> blocks =
        files.stream().map(file -> requireNonNull(file.singleBlock)).toList();
    DatanodeInfo from = blocks.get(0).getLocations()[0];
    long start = System.nanoTime();
    SmallBlocks.Read read = smallBlocks.read(from, blocks);
    List<byte[]> contents = read.contents();
    long nanos = (System.nanoTime() - start) / Math.max(1, contents.size());
    ReadAhead.Origin origin =
        from.getHostName().equals(node) ? ReadAhead.Origin.LOCAL : ReadAhead.Origin.REMOTE;
    for (int i = 0; i < contents.size(); i++) {
      files.get(i).readAhead = new ReadAhead(contents.get(i), origin, nanos, from.getHostName());
    }
    if (read.silent()) {
      // Each of the remaining files would wait for the same unresponsive node again.
      blocks.subList(contents.size(), blocks.size()).forEach(ReplicaOrder::demoteFirst);
    }
  }

  private final class HdfsSource implements Source {

    private final String path;
    private final Version version;
    private final HdfsLocatedFileStatus file;
    private final @Nullable LocatedBlocks blocks;

    /** The file's only block; null when the file cannot be read in a batch. */
    private final @Nullable LocatedBlock singleBlock;

    private @Nullable ReadAhead readAhead;

    HdfsSource(String path, HdfsLocatedFileStatus file) {
      this.path = path;
      this.version = versionOf(file);
      this.file = file;
      this.blocks = usable(file);
      this.singleBlock =
          blocks == null || turns.appliesTo(version.length(), true) || areTokensMissing(blocks)
              ? null
              : smallBlocks.block(file, blocks);
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public Optional<Version> version() {
      return blocks == null ? Optional.empty() : Optional.of(version);
    }

    @Override
    public String batchKey() {
      return singleBlock == null ? "" : singleBlock.getLocations()[0].getDatanodeUuid();
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      ReadAhead batched = readAhead;
      if (batched != null) {
        // Used once: a second fetch reads the current content.
        readAhead = null;
        return batched.write(target);
      }
      return fetch(target, "", () -> {});
    }

    @Override
    public Fetched fetchToShare(Path target, Runnable onRestart) throws IOException {
      return fetch(target, cacheKey(path, file), onRestart);
    }

    private Fetched fetch(Path target, String content, Runnable onRestart) throws IOException {
      try {
        if (blocks == null) {
          return openByName(target);
        }
        return turns.appliesTo(version.length(), !content.isEmpty())
            ? readScheduled(blocks, target, content, onRestart)
            : readKnown(readable(blocks), target, onRestart);
      } catch (FileNotFoundException | BlockMissingException | ChecksumException e) {
        // HDFS reports a checksum error only when no replica is intact.
        throw new InputLostException(path, e);
      }
    }

    private Fetched readScheduled(
        LocatedBlocks known, Path target, String content, Runnable onRestart) throws IOException {
      CurrentHolders holders = new CurrentHolders(this, known);
      try (TransferScheduler.Grant grant =
          turns.acquire(new TransferScheduler.Request(version.length(), content), holders::now)) {
        TransferScheduler.Cache cache = grant.cache();
        if (cache == null) {
          return fromHdfs(grant, holders, target, onRestart);
        }
        LOG.info("Reading {} from the cache of {}", path, grant.from());
        Fetched fromCache = readCache(grant, cache, target);
        if (fromCache != null) {
          grant.fromCache(fromCache.bytes());
          grant.complete();
          return fromCache;
        }
      }
      LOG.info("Reading {} from HDFS: the cache did not serve all of it", path);
      onRestart.run();
      // No longer a source for other nodes, and does not read from caches.
      CurrentHolders current = new CurrentHolders(this, lookUp(null));
      TransferScheduler.Request request = new TransferScheduler.Request(version.length(), "");
      try (TransferScheduler.Grant grant = turns.acquire(request, current::now)) {
        return fromHdfs(grant, current, target, onRestart);
      }
    }

    private Fetched fromHdfs(
        TransferScheduler.Grant grant, CurrentHolders holders, Path target, Runnable onRestart)
        throws IOException {
      LocatedBlocks readable = readable(holders.blocks);
      replicaOrder.sort(readable, grant.from());
      Fetched fetched = readKnown(readable, target, onRestart);
      grant.complete();
      return fetched;
    }

    /**
     * Reads the content from a cache completely or not at all; null when it is incomplete. Each
     * piece has its own checksum, but only the end mark confirms that they are what the other node
     * fetched.
     */
    private @Nullable Fetched readCache(
        TransferScheduler.Grant grant, TransferScheduler.Cache cache, Path target)
        throws IOException {
      CRC32C crc = new CRC32C();
      boolean complete = false;
      try (OutputStream out = new CheckedOutputStream(LocalFiles.createReadOnly(target), crc)) {
        long start = System.nanoTime();
        complete = cache.read(out);
        return complete
            ? Fetched.otherCache(
                version.length(), System.nanoTime() - start, Checksum.of(crc), grant.from())
            : null;
      } finally {
        if (!complete) {
          Files.deleteIfExists(target);
        }
      }
    }

    /** Returns the same blocks with tokens, if the DataNodes require these. */
    private LocatedBlocks readable(LocatedBlocks known) throws IOException {
      return areTokensMissing(known) ? lookUp(null) : known;
    }

    /** Looks the current blocks up, including new replicas. */
    private LocatedBlocks lookUp(@Nullable IOException why) throws IOException {
      HdfsLocatedFileStatus file = client.getLocatedFileInfo(path, true);
      if (file == null) {
        throw new FileNotFoundException(path);
      }
      LocatedBlocks fresh = usable(file);
      if (fresh == null || !versionOf(file).equals(version)) {
        throw new ContentChangedException(path, why);
      }
      return fresh;
    }

    private Fetched openByName(Path target) throws IOException {
      try (FSDataInputStream in = fs.open(HdfsDataStore.hdfsPath(path))) {
        return copy(in, target, BUFFER_BYTES);
      }
    }

    private Fetched readKnown(LocatedBlocks known, Path target, Runnable onRestart)
        throws IOException {
      try {
        return readExactly(known, target);
      } catch (ContentChangedException
          | BlockMissingException
          | ChecksumException
          | InterruptedIOException
          | ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        // Since the listing the blocks may have moved, or the file may have been replaced.
        LOG.debug("Looking up {} again", path, e);
        LocatedBlocks current = lookUp(e);
        onRestart.run();
        return readExactly(current, target);
      }
    }

    private Fetched readExactly(LocatedBlocks known, Path target) throws IOException {
      int buffer = (int) Math.max(1, Math.min(BUFFER_BYTES, version.length()));
      try (HdfsDataInputStream in = open(known)) {
        Fetched fetched = copy(in, target, buffer);
        if (fetched.bytes() != version.length() || !blocksOf(in).equals(idsOf(known))) {
          Files.deleteIfExists(target);
          throw new ContentChangedException(path, null);
        }
        return fetched;
      }
    }

    private static List<ExtendedBlock> idsOf(LocatedBlocks known) {
      return known.getLocatedBlocks().stream().map(LocatedBlock::getBlock).toList();
    }

    /** Returns the blocks that were read: a stream that fails over looks them up again by name. */
    private List<ExtendedBlock> blocksOf(HdfsDataInputStream in) throws IOException {
      return version.length() == 0
          ? List.of()
          : in.getAllBlocks().stream().map(LocatedBlock::getBlock).toList();
    }

    /** Wraps the stream with the file system's own client, which knows the key provider. */
    private HdfsDataInputStream open(LocatedBlocks known) throws IOException {
      DFSInputStream stream = client.open(path, known);
      try {
        return fs.getClient().createWrappedInputStream(stream);
      } catch (IOException | RuntimeException e) {
        stream.close();
        throw e;
      }
    }
  }

  /** Looks the file up again on each call but the first. */
  private static final class CurrentHolders {

    private final HdfsSource source;
    private LocatedBlocks blocks;
    private boolean called;

    CurrentHolders(HdfsSource source, LocatedBlocks blocks) {
      this.source = source;
      this.blocks = blocks;
    }

    List<String> now() throws IOException {
      if (called) {
        blocks = source.lookUp(null);
      }
      called = true;
      return ReplicaOrder.holders(blocks);
    }
  }

  /**
   * Returns the key under which other nodes read the file from this node's cache. Empty for a file
   * of an encryption zone: caches serve plain text, which DataNodes never see of such a file.
   */
  static String cacheKey(String path, HdfsLocatedFileStatus file) {
    return file.getFileEncryptionInfo() == null ? CacheKey.of(path, versionOf(file)).digest() : "";
  }

  private static Version versionOf(HdfsLocatedFileStatus file) {
    return new Version(file.getFileId(), file.getLen(), file.getModificationTime());
  }

  /**
   * Returns the blocks, nearest replicas first; null when the NameNode must be asked. That is so
   * for a file that is being written, or that this user may not be allowed to read, which a listing
   * does not check.
   */
  private @Nullable LocatedBlocks usable(HdfsLocatedFileStatus file) {
    LocatedBlocks blocks = file.getLocatedBlocks();
    if (blocks == null
        || blocks.isUnderConstruction()
        || !blocks.isLastBlockComplete()
        || !isReadable(file)) {
      return null;
    }
    replicaOrder.sort(blocks);
    return blocks;
  }

  /**
   * Returns whether this user may read the file whatever its groups are; false when the NameNode
   * must be asked. The NameNode checks permissions when a file is opened, not when it is listed.
   */
  private boolean isReadable(FileStatus file) {
    if (file.hasAcl()) {
      return false;
    }
    FsPermission permission = file.getPermission();
    if (file.getOwner().equals(user)) {
      return permission.getUserAction().implies(FsAction.READ);
    }
    return permission.getGroupAction().implies(FsAction.READ)
        && permission.getOtherAction().implies(FsAction.READ);
  }

  /**
   * Returns whether a block lacks its token, as in a listing. A DataNode that requires a token
   * refuses a reader without one. With encryption or SASL the connection cannot even be opened,
   * which Hadoop's client does not handle.
   */
  private boolean areTokensMissing(LocatedBlocks blocks) {
    return requiresTokens
        && blocks.getLocatedBlocks().stream()
            .anyMatch(block -> block.getBlockToken().getIdentifier().length == 0);
  }

  private Fetched copy(FSDataInputStream in, Path target, int bufferBytes) throws IOException {
    boolean done = false;
    try (OutputStream out = LocalFiles.createReadOnly(target)) {
      Fetched fetched = copy(in, out, bufferBytes);
      done = true;
      return fetched;
    } finally {
      if (!done) {
        Files.deleteIfExists(target);
      }
    }
  }

  private Fetched copy(FSDataInputStream in, OutputStream out, int bufferBytes) throws IOException {
    byte[] buffer = new byte[bufferBytes];
    CountedCopy copy = new CountedCopy(out, node);
    int length = in.read(buffer);
    while (length >= 0) {
      copy.add(buffer, length, source(in));
      length = in.read(buffer);
    }
    return copy.fetched();
  }

  /** Returns the host that served the last read, or ""; a read never spans two blocks. */
  private static String source(FSDataInputStream in) {
    DatanodeInfo source = in instanceof HdfsDataInputStream hdfs ? hdfs.getCurrentDatanode() : null;
    return source == null ? "" : source.getHostName();
  }
}
