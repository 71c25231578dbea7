package dev.weir.workflow.store;

import dev.weir.workflow.hdfs.BulkLookup;
import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.sandbox.InodeFiles;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.FailureClassifier;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes files in HDFS. The file system may still be opening, which takes longer than any
 * other part of a worker's start: only calls that need it wait for it. Thread-safe.
 */
public final class HdfsDataStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsDataStore.class);
  private static final int BUFFER_BYTES = 256 << 10;

  /** Inode numbers grow in the order of creation. */
  private static final Comparator<Map.Entry<String, HdfsFileStatus>> NEWEST_FIRST =
      Comparator.<Map.Entry<String, HdfsFileStatus>>comparingLong(
              file -> file.getValue().getModificationTime())
          .thenComparingLong(file -> file.getValue().getFileId())
          .reversed();

  private final String node;
  private final CompletableFuture<Opened> opened;

  /** What needs the open file system. */
  private record Opened(
      DistributedFileSystem fs, HdfsRegions regions, BulkLookup lookup, HdfsReader reader) {

    static Opened of(
        DistributedFileSystem fs, KnownBlocksClient client, String node, TransferScheduler turns)
        throws IOException {
      BulkLookup lookup = new BulkLookup(client);
      return new Opened(
          fs, new HdfsRegions(fs, lookup, node), lookup, new HdfsReader(fs, client, node, turns));
    }
  }

  public HdfsDataStore(
      CompletableFuture<DistributedFileSystem> fs, String node, TransferScheduler turns) {
    this.node = node;
    this.opened =
        fs.thenApply(
            open -> {
              try {
                return Opened.of(
                    open,
                    new KnownBlocksClient(open.getClient().getNamenode(), open.getConf()),
                    node,
                    turns);
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
  }

  /** Creates a store of an open file system. */
  public HdfsDataStore(DistributedFileSystem fs, String node, TransferScheduler turns) {
    this(CompletableFuture.completedFuture(fs), node, turns);
  }

  /** Creates a store that looks files up with a client of its own. */
  HdfsDataStore(
      DistributedFileSystem fs, String node, KnownBlocksClient client, TransferScheduler turns)
      throws IOException {
    this.node = node;
    this.opened = CompletableFuture.completedFuture(Opened.of(fs, client, node, turns));
  }

  /** Passes on why the store is useless, if HDFS cannot be opened. */
  public void ifUseless(Consumer<Throwable> handler) {
    CompletableFuture<Opened> unused =
        opened.whenComplete(
            (hdfs, problem) -> {
              if (problem != null) {
                handler.accept(problem);
              }
            });
  }

  private Opened opened() throws IOException {
    try {
      return opened.get();
    } catch (ExecutionException e) {
      throw new IOException("HDFS cannot be opened: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while HDFS was opened");
    }
  }

  private DistributedFileSystem fs() throws IOException {
    return opened().fs();
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    for (FileSlot slot : wanted) {
      if (slot.content().exists()) {
        throw new IOException(slot.path() + " is on another node, and this node has no cache");
      }
    }
    Map<String, Source> sources = new HashMap<>();
    Opened hdfs = opened();
    hdfs.lookup()
        .find(wanted.stream().map(FileSlot::path).toList())
        .forEach((path, file) -> sources.put(path, hdfs.reader().source(path, file)));
    return sources;
  }

  @Override
  public void readBatch(List<Source> sources) {
    try {
      opened().reader().readBatch(sources);
    } catch (IOException e) {
      LOG.debug("Cannot read {} files in a batch; each will be fetched", sources.size(), e);
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, java.nio.file.Path target) throws IOException {
    Opened hdfs = opened();
    try (OutputStream out = LocalFiles.createReadOnly(target)) {
      return hdfs.regions().read(slot, hdfsPath(slot.path()), out);
    } catch (FileNotFoundException | BlockMissingException | ChecksumException e) {
      throw new InputLostException(slot.path(), e);
    }
  }

  @Override
  public List<BlockExtent> extents(String path) throws IOException {
    return opened().regions().extents(hdfsPath(path));
  }

  @Override
  public List<String> join(List<String> parts, String target) throws IOException {
    return opened().regions().join(parts, target);
  }

  @Override
  public List<String> findByPrefix(String prefix, long bytes) throws IOException {
    return opened().lookup().findByPrefix(prefix).entrySet().stream()
        .filter(file -> file.getValue().getLen() == bytes)
        .sorted(NEWEST_FIRST)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public Stored put(java.nio.file.Path source, String path) throws IOException {
    long size = Files.size(source);
    // No larger than the file: Java clears the whole array.
    byte[] buffer = new byte[(int) Math.max(1, Math.min(BUFFER_BYTES, size))];
    Path file = hdfsPath(path);
    DistributedFileSystem fs = fs();
    try (HdfsWriter out = new HdfsWriter(fs, file, fs.create(file, true));
        InputStream in = Files.newInputStream(source)) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        out.write(buffer, length);
      }
      return out.finish();
    }
  }

  @Override
  public void commit(String from, String to) throws IOException {
    DistributedFileSystem fs = fs();
    Path source = hdfsPath(from);
    Path target = hdfsPath(to);
    try {
      fs.rename(source, target, Options.Rename.OVERWRITE);
    } catch (FileNotFoundException e) {
      if (target.getParent().equals(source.getParent())) {
        throw e;
      }
      // The first output of a directory creates it.
      fs.mkdirs(target.getParent());
      fs.rename(source, target, Options.Rename.OVERWRITE);
    }
  }

  @Override
  public void mark(String temporary, CommitAttribute mark) throws IOException {
    try {
      fs().setXAttr(hdfsPath(temporary), CommitAttribute.ATTRIBUTE, mark.toBytes());
    } catch (IOException e) {
      if (e instanceof FileNotFoundException
          || FailureClassifier.isInterrupt(e)
          || HdfsOutages.isOutage(e)) {
        throw e;
      }
      // Extended attributes may be disabled, or too short for all numbers; the commit works
      // without.
      LOG.debug("Cannot set the commit mark of {}", temporary, e);
    }
  }

  @Override
  public void remove(long fileId) throws IOException {
    InodeFiles.remove(fs(), fileId);
  }

  @Override
  public void remove(String path) throws IOException {
    fs().delete(hdfsPath(path), false);
  }

  @Override
  public String node() {
    return node;
  }

  /** Takes the name literally: parsing it as a URI fails on percent signs and the like. */
  static Path hdfsPath(String path) {
    return new Path(null, null, path);
  }
}
