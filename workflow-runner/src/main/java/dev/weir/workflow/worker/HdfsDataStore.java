package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Checksum;
import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.protocol.FileSlot;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** Files in HDFS, with each byte read attributed to the DataNode that it came from. */
final class HdfsDataStore implements DataStore {

  private static final int BUFFER_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final String node;
  private final HdfsRegions regions;

  /**
   * A store.
   *
   * @param fs the file system
   * @param node host name of this node's DataNode
   */
  HdfsDataStore(DistributedFileSystem fs, String node) {
    this.fs = fs;
    this.node = node;
    this.regions = new HdfsRegions(fs, node);
  }

  @Override
  public Fetched fetch(String path, java.nio.file.Path target) throws IOException {
    try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
      return read(path, out);
    } catch (FileNotFoundException | BlockMissingException | ChecksumException e) {
      // HDFS gives up on a checksum only when no replica is whole.
      throw new InputLostException(path, e);
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, java.nio.file.Path target) throws IOException {
    try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
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

  private Fetched read(String path, OutputStream out) throws IOException {
    long localBytes = 0;
    long remoteBytes = 0;
    long localNanos = 0;
    long remoteNanos = 0;
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    long mark = System.nanoTime();
    try (FSDataInputStream in = fs.open(hdfsPath(path))) {
      int length = in.read(buffer);
      while (length >= 0) {
        long now = System.nanoTime();
        if (isLocal(in)) {
          localBytes += length;
          localNanos += now - mark;
        } else {
          remoteBytes += length;
          remoteNanos += now - mark;
        }
        out.write(buffer, 0, length);
        crc.update(buffer, 0, length);
        mark = System.nanoTime();
        length = in.read(buffer);
      }
    }
    return new Fetched(localBytes, remoteBytes, localNanos, remoteNanos, Checksum.of(crc));
  }

  /** Whether the last read was served here: a read never spans two blocks. */
  private boolean isLocal(InputStream in) {
    DatanodeInfo source = in instanceof HdfsDataInputStream hdfs ? hdfs.getCurrentDatanode() : null;
    return source != null && source.getHostName().equals(node);
  }

  @Override
  public Stored put(java.nio.file.Path source, String path) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
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
  private static Path hdfsPath(String path) {
    return new Path(null, null, path);
  }
}
