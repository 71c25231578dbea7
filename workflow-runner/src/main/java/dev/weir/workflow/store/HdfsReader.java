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
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
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
 * Reads files of HDFS, each byte attributed to the DataNode that it came from. Where status and
 * blocks of a file are known it is opened without asking the NameNode again. Any thread may use it.
 */
final class HdfsReader {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsReader.class);
  private static final int BUFFER_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final KnownBlocksClient client;
  private final String node;
  private final ReplicaOrder nearness;
  private final ReadRight right;
  private final BlockTokens tokens;
  private final TransferScheduler turns;
  private final SmallBlocks together;

  /**
   * A reader.
   *
   * @param node host name of this node's DataNode
   * @param turns say when large files may be read
   */
  HdfsReader(
      DistributedFileSystem fs, KnownBlocksClient client, String node, TransferScheduler turns)
      throws IOException {
    this.turns = turns;
    this.fs = fs;
    this.client = client;
    this.node = node;
    this.nearness = new ReplicaOrder(node, new Random());
    this.right = new ReadRight(UserGroupInformation.getCurrentUser().getShortUserName());
    this.tokens = BlockTokens.of(fs.getConf());
    this.together = new SmallBlocks(client);
  }

  /** A file that was found. */
  Source source(String path, HdfsLocatedFileStatus file) {
    return new HdfsSource(path, file);
  }

  /** As {@link DataStore#readTogether} does. */
  void readTogether(List<Source> sources) {
    List<HdfsSource> files = sources.stream().map(HdfsSource.class::cast).toList();
    List<LocatedBlock> blocks = files.stream().map(file -> requireNonNull(file.tiny)).toList();
    DatanodeInfo from = blocks.get(0).getLocations()[0];
    long start = System.nanoTime();
    SmallBlocks.Read read = together.read(from, blocks);
    List<byte[]> contents = read.contents();
    long nanos = (System.nanoTime() - start) / Math.max(1, contents.size());
    boolean local = from.getHostName().equals(node);
    for (int i = 0; i < contents.size(); i++) {
      files.get(i).ahead = new ReadAhead(contents.get(i), local, nanos);
    }
    if (read.silent()) {
      // Each of the others would wait for that node again.
      blocks.subList(contents.size(), blocks.size()).forEach(ReplicaOrder::demoteFirst);
    }
  }

  private final class HdfsSource implements Source {

    private final String path;
    private final Version version;
    private final HdfsLocatedFileStatus file;
    private final @Nullable LocatedBlocks blocks;

    /** All of it, if it can be read with others. */
    private final @Nullable LocatedBlock tiny;

    private @Nullable ReadAhead ahead;

    HdfsSource(String path, HdfsLocatedFileStatus file) {
      this.path = path;
      this.version = versionOf(file);
      this.file = file;
      this.blocks = usable(file);
      this.tiny =
          blocks == null || turns.concerns(version.length()) || tokens.areMissing(blocks)
              ? null
              : together.block(file, blocks);
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
    public String together() {
      return tiny == null ? "" : tiny.getLocations()[0].getDatanodeUuid();
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      ReadAhead had = ahead;
      if (had != null) {
        // For once: what is fetched again is what HDFS has then.
        ahead = null;
        return had.write(target);
      }
      return fetch(target, "", () -> {});
    }

    @Override
    public Fetched fetchToShare(Path target, Runnable again) throws IOException {
      return fetch(target, shared(path, file), again);
    }

    @Override
    public Fetched fetchAhead(Path target, String from, UnaryOperator<OutputStream> pace)
        throws IOException {
      LocatedBlocks known = blocks;
      if (known == null) {
        throw new IOException(path + " cannot be read without asking the NameNode");
      }
      LocatedBlocks readable = readable(known);
      nearness.sort(readable, from);
      return exactly(readable, target, pace);
    }

    private Fetched fetch(Path target, String content, Runnable again) throws IOException {
      try {
        if (blocks == null) {
          return ask(target);
        }
        return turns.concerns(version.length())
            ? inTurn(blocks, target, content, again)
            : readKnown(readable(blocks), target, again);
      } catch (FileNotFoundException | BlockMissingException | ChecksumException e) {
        // HDFS gives up on a checksum only when no replica is whole.
        throw new InputLostException(path, e);
      }
    }

    private Fetched inTurn(LocatedBlocks known, Path target, String content, Runnable again)
        throws IOException {
      Renewed renewed = new Renewed(this, known);
      try (TransferScheduler.Turn turn =
          turns.take(new TransferScheduler.Want(version.length(), content), renewed)) {
        TransferScheduler.Cache cache = turn.cache();
        if (cache == null) {
          return fromHdfs(turn, renewed, target, again);
        }
        LOG.info("Reading {} from the cache of {}", path, turn.from());
        Fetched given = readCache(cache, target);
        if (given != null) {
          turn.fromCache(given.bytes());
          turn.done();
          return given;
        }
      }
      LOG.info("Reading {} from HDFS: a cache did not give all of it", path);
      again.run();
      // It is nobody's source from now on, and is sent to no cache.
      Renewed anew = new Renewed(this, lookUp(null));
      TransferScheduler.Want want = new TransferScheduler.Want(version.length(), "");
      try (TransferScheduler.Turn turn = turns.take(want, anew)) {
        return fromHdfs(turn, anew, target, again);
      }
    }

    private Fetched fromHdfs(
        TransferScheduler.Turn turn, Renewed renewed, Path target, Runnable again)
        throws IOException {
      LocatedBlocks readable = readable(renewed.blocks);
      nearness.sort(readable, turn.from());
      Fetched fetched = readKnown(readable, target, again);
      turn.done();
      return fetched;
    }

    /**
     * All, or nothing: each piece has a checksum of its own, but only the mark at the end says that
     * they are what the other node had fetched.
     */
    private @Nullable Fetched readCache(TransferScheduler.Cache cache, Path target)
        throws IOException {
      CRC32C crc = new CRC32C();
      boolean whole = false;
      try (OutputStream out = new CheckedOutputStream(LocalFiles.createReadOnly(target), crc)) {
        long start = System.nanoTime();
        whole = cache.read(out);
        return whole
            ? Fetched.remote(version.length(), System.nanoTime() - start, Checksum.of(crc))
            : null;
      } finally {
        if (!whole) {
          Files.deleteIfExists(target);
        }
      }
    }

    /** The same blocks with their tokens, where they want some. */
    private LocatedBlocks readable(LocatedBlocks known) throws IOException {
      return tokens.areMissing(known) ? lookUp(null) : known;
    }

    /** The blocks as they are now, with the copies that were made meanwhile. */
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

    private Fetched ask(Path target) throws IOException {
      try (FSDataInputStream in = fs.open(HdfsDataStore.hdfsPath(path))) {
        return copy(in, target, BUFFER_BYTES, UnaryOperator.identity());
      }
    }

    private Fetched readKnown(LocatedBlocks known, Path target, Runnable again) throws IOException {
      try {
        return exactly(known, target, UnaryOperator.identity());
      } catch (ContentChangedException
          | BlockMissingException
          | ChecksumException
          | InterruptedIOException
          | ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        // Since the listing the blocks may have moved, or the file may have been replaced.
        LOG.debug("Asking again for {}", path, e);
        LocatedBlocks anew = lookUp(e);
        again.run();
        return exactly(anew, target, UnaryOperator.identity());
      }
    }

    private Fetched exactly(LocatedBlocks known, Path target, UnaryOperator<OutputStream> pace)
        throws IOException {
      int buffer = (int) Math.max(1, Math.min(BUFFER_BYTES, version.length()));
      try (HdfsDataInputStream in = open(known)) {
        Fetched fetched = copy(in, target, buffer, pace);
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

    /** A stream that lost its way has looked its blocks up again, by name. */
    private List<ExtendedBlock> blocksOf(HdfsDataInputStream in) throws IOException {
      return version.length() == 0
          ? List.of()
          : in.getAllBlocks().stream().map(LocatedBlock::getBlock).toList();
    }

    /** By the file system's own client: the other one does not know where keys are. */
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

  /** Looks a file up again each time but the first. */
  private static final class Renewed implements TransferScheduler.Holders {

    private final HdfsSource source;
    private LocatedBlocks blocks;
    private boolean asked;

    Renewed(HdfsSource source, LocatedBlocks blocks) {
      this.source = source;
      this.blocks = blocks;
    }

    @Override
    public List<String> now() throws IOException {
      if (asked) {
        blocks = source.lookUp(null);
      }
      asked = true;
      return ReplicaOrder.holders(blocks);
    }
  }

  /**
   * Under which name other nodes read a file from this one; empty for a file of an encryption zone:
   * caches give contents in the clear, which DataNodes never see of it.
   */
  static String shared(String path, HdfsLocatedFileStatus file) {
    return file.getFileEncryptionInfo() == null ? CacheKey.of(path, versionOf(file)).digest() : "";
  }

  private static Version versionOf(HdfsLocatedFileStatus file) {
    return new Version(file.getFileId(), file.getLen(), file.getModificationTime());
  }

  /**
   * The blocks, nearest replicas first; null when the NameNode has to be asked: for a file that is
   * being written, or that this user may not be allowed to read, which a listing does not tell.
   */
  private @Nullable LocatedBlocks usable(HdfsLocatedFileStatus file) {
    LocatedBlocks blocks = file.getLocatedBlocks();
    if (blocks == null
        || blocks.isUnderConstruction()
        || !blocks.isLastBlockComplete()
        || !right.isCertain(file)) {
      return null;
    }
    nearness.sort(blocks);
    return blocks;
  }

  private Fetched copy(
      FSDataInputStream in, Path target, int bufferBytes, UnaryOperator<OutputStream> pace)
      throws IOException {
    boolean done = false;
    try (OutputStream out = pace.apply(LocalFiles.createReadOnly(target))) {
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
    CountedCopy copy = new CountedCopy(out);
    int length = in.read(buffer);
    while (length >= 0) {
      copy.add(buffer, length, isLocal(in));
      length = in.read(buffer);
    }
    return copy.fetched();
  }

  /** Whether the last read was served here: a read never spans two blocks. */
  private boolean isLocal(FSDataInputStream in) {
    DatanodeInfo source = in instanceof HdfsDataInputStream hdfs ? hdfs.getCurrentDatanode() : null;
    return source != null && source.getHostName().equals(node);
  }
}
