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
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes files in HDFS. */
public final class HdfsDataStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsDataStore.class);
  private static final int BUFFER_BYTES = 256 << 10;

  /** Inode numbers grow in the order of creation. */
  private static final Comparator<Map.Entry<String, HdfsFileStatus>> NEWEST_FIRST =
      Comparator.<Map.Entry<String, HdfsFileStatus>>comparingLong(
              file -> file.getValue().getModificationTime())
          .thenComparingLong(file -> file.getValue().getFileId())
          .reversed();

  private final DistributedFileSystem fs;
  private final String node;
  private final HdfsRegions regions;
  private final BulkLookup lookup;
  private final HdfsReader reader;

  /**
   * Creates a store.
   *
   * @param node host name of this node's DataNode
   * @param turns schedules the reads of large files
   * @throws IOException when the file system has no connection to share
   */
  public HdfsDataStore(DistributedFileSystem fs, String node, TransferScheduler turns)
      throws IOException {
    this(fs, node, new KnownBlocksClient(fs.getClient().getNamenode(), fs.getConf()), turns);
  }

  /** Creates a store that looks files up with a client of its own. */
  HdfsDataStore(
      DistributedFileSystem fs, String node, KnownBlocksClient client, TransferScheduler turns)
      throws IOException {
    this.fs = fs;
    this.node = node;
    this.lookup = new BulkLookup(client);
    this.regions = new HdfsRegions(fs, lookup, node);
    this.reader = new HdfsReader(fs, client, node, turns);
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    for (FileSlot slot : wanted) {
      if (slot.content().exists()) {
        throw new IOException(slot.path() + " is on another node, and this node has no cache");
      }
    }
    Map<String, Source> sources = new HashMap<>();
    lookup
        .find(wanted.stream().map(FileSlot::path).toList())
        .forEach((path, file) -> sources.put(path, reader.source(path, file)));
    return sources;
  }

  @Override
  public void readBatch(List<Source> sources) {
    reader.readBatch(sources);
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, java.nio.file.Path target) throws IOException {
    try (OutputStream out = LocalFiles.createReadOnly(target)) {
      return regions.read(slot, hdfsPath(slot.path()), out);
    } catch (FileNotFoundException | BlockMissingException | ChecksumException e) {
      throw new InputLostException(slot.path(), e);
    }
  }

  @Override
  public List<BlockExtent> extents(String path) throws IOException {
    return regions.extents(hdfsPath(path));
  }

  @Override
  public List<String> join(List<String> parts, String target) throws IOException {
    return regions.join(parts, target);
  }

  @Override
  public List<String> findByPrefix(String prefix, long bytes) throws IOException {
    return lookup.findByPrefix(prefix).entrySet().stream()
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
      fs.setXAttr(hdfsPath(temporary), CommitAttribute.ATTRIBUTE, mark.toBytes());
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
    InodeFiles.remove(fs, fileId);
  }

  @Override
  public void remove(String path) throws IOException {
    fs.delete(hdfsPath(path), false);
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
