package dev.weir.workflow.store;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.transfer.DataStore;
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

/** A file on its way into HDFS. For one thread at a time. */
final class HdfsWriting implements DataStore.Writing {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsWriting.class);

  private final DistributedFileSystem fs;
  private final Path path;
  private final FSDataOutputStream out;
  private final CRC32C crc = new CRC32C();
  private long size;
  private boolean over;

  /**
   * A file that was made just now.
   *
   * @param out what writes it
   */
  HdfsWriting(DistributedFileSystem fs, Path path, FSDataOutputStream out) {
    this.fs = fs;
    this.path = path;
    this.out = out;
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    crc.update(bytes, 0, length);
    size += length;
  }

  @Override
  public Stored finish() throws IOException {
    DatanodeInfo @Nullable [] pipeline = size == 0 ? null : pipeline();
    out.close();
    over = true;
    return new Stored(size == 0 ? Map.of() : places(pipeline), Checksum.of(crc), number());
  }

  private long number() {
    OutputStream inner = out.getWrappedStream();
    // As the files of an encryption zone are written.
    OutputStream stream =
        inner instanceof CryptoOutputStream encrypting ? encrypting.getWrappedStream() : inner;
    return stream instanceof DFSOutputStream file ? file.getFileId() : 0;
  }

  @Override
  public void close() {
    if (over) {
      return;
    }
    over = true;
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("{} is given up and could not be closed", path, e);
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
   * The DataNodes that have the last block. The NameNode hears of its replicas one by one only
   * after the close, so asking it then tells too few. One that fails between this and the close is
   * among them: who goes there reads from another.
   */
  private DatanodeInfo @Nullable [] pipeline() throws IOException {
    if (!(out.getWrappedStream() instanceof DFSOutputStream stream)
        || stream instanceof DFSStripedOutputStream) {
      return null;
    }
    // A file of one block has but one; a flush makes the NameNode write its block down once more.
    DatanodeInfo[] only = size <= fs.getDefaultBlockSize(path) ? stream.getPipeline() : null;
    if (only == null) {
      out.hflush();
      return stream.getPipeline();
    }
    return only;
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
