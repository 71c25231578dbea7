package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.protocol.FileSlot;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files in HDFS. */
final class HdfsDataStore implements DataStore {

  private static final int BUFFER_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final String node;
  private final HdfsRegions regions;
  private final BulkLookup lookup;
  private final HdfsReader reader;
  private final SmallFiles small;

  /**
   * A store.
   *
   * @param fs the file system
   * @param node host name of this node's DataNode
   * @throws IOException when the file system has no connection to share
   */
  HdfsDataStore(DistributedFileSystem fs, String node) throws IOException {
    this(fs, node, ReadTurns.AT_ONCE);
  }

  /**
   * A store.
   *
   * @param turns say when large files may be read
   */
  HdfsDataStore(DistributedFileSystem fs, String node, ReadTurns turns) throws IOException {
    this(fs, node, new KnownBlocksClient(fs.getClient().getNamenode(), fs.getConf()), turns);
  }

  /** A store that finds and opens files by a client of its own. */
  HdfsDataStore(DistributedFileSystem fs, String node, KnownBlocksClient client, ReadTurns turns)
      throws IOException {
    this.fs = fs;
    this.node = node;
    this.regions = new HdfsRegions(fs, node);
    this.lookup = new BulkLookup(client);
    this.reader = new HdfsReader(fs, client, node, turns);
    this.small = new SmallFiles(fs, client);
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    Map<String, Source> sources = new HashMap<>();
    lookup
        .find(wanted.stream().map(FileSlot::path).toList())
        .forEach((path, file) -> sources.put(path, reader.source(path, file)));
    return sources;
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
  public List<Extent> extents(String path) throws IOException {
    return regions.extents(hdfsPath(path));
  }

  @Override
  public List<String> join(List<String> parts, String target) throws IOException {
    List<Path> paths = parts.stream().map(HdfsDataStore::hdfsPath).toList();
    return regions.join(paths, hdfsPath(target)).stream()
        .map(path -> path.toUri().getPath())
        .toList();
  }

  @Override
  public List<String> named(String beginning, long bytes) throws IOException {
    Path like = hdfsPath(beginning);
    List<String> found = new ArrayList<>();
    try {
      for (FileStatus file :
          fs.listStatus(like.getParent(), path -> path.getName().startsWith(like.getName()))) {
        if (file.isFile() && file.getLen() == bytes) {
          found.add(file.getPath().toUri().getPath());
        }
      }
    } catch (FileNotFoundException e) {
      return found;
    }
    return found;
  }

  @Override
  public Stored put(java.nio.file.Path source, String path) throws IOException {
    if (Files.size(source) <= SmallFiles.MOST_BYTES) {
      byte[] content = Files.readAllBytes(source);
      if (content.length <= SmallFiles.MOST_BYTES) {
        return small.put(content, hdfsPath(path), () -> copy(source, path));
      }
    }
    return copy(source, path);
  }

  private Stored copy(java.nio.file.Path source, String path) throws IOException {
    // All that a buffer has is cleared first.
    byte[] buffer = new byte[(int) Math.max(1, Math.min(BUFFER_BYTES, Files.size(source)))];
    try (Writing out = begin(path);
        InputStream in = Files.newInputStream(source)) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        out.write(buffer, length);
      }
      return out.finish();
    }
  }

  @Override
  public Writing begin(String path) throws IOException {
    return new HdfsWriting(fs, hdfsPath(path));
  }

  @Override
  public void commit(String from, String to) throws IOException {
    fs.rename(hdfsPath(from), hdfsPath(to), Options.Rename.OVERWRITE);
  }

  @Override
  public void remove(String path) throws IOException {
    fs.delete(hdfsPath(path), false);
  }

  @Override
  public String node() {
    return node;
  }

  /** Takes the name as it is: parsing it as a URI would trip over percent signs and the like. */
  static Path hdfsPath(String path) {
    return new Path(null, null, path);
  }
}
