package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Checksum;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSStripedOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;

/** Files in HDFS, with each byte read attributed to the DataNode that it came from. */
final class HdfsDataStore implements DataStore {

  private static final int BUFFER_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final String node;

  /**
   * A store.
   *
   * @param fs the file system
   * @param node host name of this node's DataNode
   */
  HdfsDataStore(DistributedFileSystem fs, String node) {
    this.fs = fs;
    this.node = node;
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
    Path target = hdfsPath(path);
    long size = Files.size(source);
    CRC32C crc = new CRC32C();
    DatanodeInfo @Nullable [] pipeline;
    try (FSDataOutputStream out = fs.create(target, true);
        InputStream in = new CheckedInputStream(Files.newInputStream(source), crc)) {
      in.transferTo(out);
      pipeline = size == 0 ? null : pipeline(out);
    }
    return new Stored(size == 0 ? Map.of() : places(target, size, pipeline), Checksum.of(crc));
  }

  private Map<String, Long> places(Path target, long size, DatanodeInfo @Nullable [] pipeline)
      throws IOException {
    Map<String, Long> places = new HashMap<>();
    if (pipeline != null && size <= fs.getDefaultBlockSize(target)) {
      for (DatanodeInfo replica : pipeline) {
        places.put(replica.getHostName(), size);
      }
      return places;
    }
    return merge(fs.getFileStatus(target), pipeline);
  }

  /**
   * The DataNodes that have the last block. The NameNode hears of its replicas one by one only
   * after the close, so asking it then tells too few.
   */
  private static DatanodeInfo @Nullable [] pipeline(FSDataOutputStream out) throws IOException {
    if (out.getWrappedStream() instanceof DFSOutputStream stream
        && !(stream instanceof DFSStripedOutputStream)) {
      out.hflush();
      return stream.getPipeline();
    }
    return null;
  }

  private Map<String, Long> merge(FileStatus file, DatanodeInfo @Nullable [] lastBlock)
      throws IOException {
    Map<String, Long> places = new HashMap<>();
    for (BlockLocation block : fs.getFileBlockLocations(file, 0, file.getLen())) {
      boolean last = block.getOffset() + block.getLength() >= file.getLen();
      if (last && lastBlock != null) {
        for (DatanodeInfo replica : lastBlock) {
          places.merge(replica.getHostName(), block.getLength(), Long::sum);
        }
      } else {
        for (String host : block.getHosts()) {
          places.merge(host, block.getLength(), Long::sum);
        }
      }
    }
    return places;
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
