package dev.weir.workflow.store;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * An HDFS client that opens files by the blocks of a listing, without a request to the NameNode for
 * each. When the listed DataNodes do not answer, it asks as any client does. Thread-safe. It shares
 * the connection to the NameNode with the file system's own client, and the connections to
 * DataNodes with all clients of this process.
 */
final class KnownBlocksClient extends DFSClient {

  private static final int IGNORED_BUFFER_SIZE = 0;

  @SuppressWarnings(
      "ThreadLocalUsage") // belongs to this client, and is emptied before open returns
  private final ThreadLocal<@Nullable LocatedBlocks> opening = new ThreadLocal<>();

  KnownBlocksClient(ClientProtocol nameNode, Configuration conf) throws IOException {
    super(null, nameNode, conf, null);
  }

  /** Opens a file without a request to the NameNode. */
  DFSInputStream open(String path, LocatedBlocks blocks) throws IOException {
    opening.set(blocks);
    try {
      return open(path, IGNORED_BUFFER_SIZE, true);
    } finally {
      opening.remove();
    }
  }

  /**
   * Called by {@link DFSClient#open} on its caller's thread, and by streams that look the blocks up
   * again.
   */
  @Override
  public LocatedBlocks getLocatedBlocks(String path, long start) throws IOException {
    LocatedBlocks known = opening.get();
    if (known != null && start == 0) {
      opening.remove();
      return known;
    }
    return super.getLocatedBlocks(path, start);
  }
}
