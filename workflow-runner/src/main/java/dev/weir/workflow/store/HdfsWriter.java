package dev.weir.workflow.store;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore.Stored;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSStripedOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a file into HDFS. Not thread-safe. */
final class HdfsWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsWriter.class);

  private final DistributedFileSystem fs;
  private final Path path;
  private final FSDataOutputStream out;
  private final CRC32C crc = new CRC32C();
  private long size;
  private boolean ended;

  HdfsWriter(DistributedFileSystem fs, Path path, FSDataOutputStream out) {
    this.fs = fs;
    this.path = path;
    this.out = out;
  }

  /** Appends bytes. */
  void write(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    crc.update(bytes, 0, length);
    size += length;
  }

  /** Completes the file. */
  Stored finish() throws IOException {
    DatanodeInfo @Nullable [] pipeline = size == 0 ? null : pipeline();
    out.close();
    ended = true;
    return new Stored(size == 0 ? Map.of() : places(pipeline), Checksum.of(crc), number());
  }

  private long number() {
    OutputStream inner = out.getWrappedStream();
    // Files of an encryption zone are written through this stream.
    OutputStream stream =
        inner instanceof CryptoOutputStream encrypting ? encrypting.getWrappedStream() : inner;
    return stream instanceof DFSOutputStream file ? file.getFileId() : 0;
  }

  /** Removes the file unless it is complete. */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("Cannot close {}, which is abandoned", path, e);
    }
    try {
      fs.delete(path, false);
    } catch (IOException e) {
      LOG.warn("Cannot remove {}", path, e);
    }
  }

  private Map<String, Long> places(DatanodeInfo @Nullable [] pipeline) throws IOException {
    Map<String, Long> places = new HashMap<>();
    if (pipeline != null && size <= fs.getDefaultBlockSize(path)) {
      for (DatanodeInfo replica : pipeline) {
        places.put(replica.getHostName(), size);
      }
      return places;
    }
    return merge(fs.getFileStatus(path), pipeline);
  }

  /**
   * Returns the DataNodes that have the last block. After the close the NameNode learns of its
   * replicas one by one, so its answer would be incomplete. A node that fails between this call and
   * the close is included; readers fail over.
   */
  private DatanodeInfo @Nullable [] pipeline() throws IOException {
    if (!(out.getWrappedStream() instanceof DFSOutputStream stream)
        || stream instanceof DFSStripedOutputStream) {
      return null;
    }
    // A file of one block has only one pipeline; a flush would make the NameNode persist its
    // block once more.
    DatanodeInfo[] pipeline = size <= fs.getDefaultBlockSize(path) ? stream.getPipeline() : null;
    if (pipeline == null) {
      out.hflush();
      return stream.getPipeline();
    }
    return pipeline;
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
}
