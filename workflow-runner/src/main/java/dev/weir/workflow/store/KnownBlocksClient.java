package dev.weir.workflow.store;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * An HDFS client that opens files whose blocks are known from a listing without asking the NameNode
 * for each. When the DataNodes that were listed do not answer, it asks as any client does. Any
 * thread may use it; it shares the connection to the NameNode with the file system's own client,
 * and the connections to DataNodes with all clients of this process.
 */
final class KnownBlocksClient extends DFSClient {

  private static final int BUFFER_IS_OURS = 0;

  @SuppressWarnings("ThreadLocalUsage") // It is of this client, and emptied before open returns.
  private final ThreadLocal<@Nullable LocatedBlocks> opening = new ThreadLocal<>();

  /**
   * A client beside another.
   *
   * @param nameNode the other's connection
   */
  KnownBlocksClient(ClientProtocol nameNode, Configuration conf) throws IOException {
    super(null, nameNode, conf, null);
  }

  /** Opens a file without asking the NameNode. */
  DFSInputStream open(String path, LocatedBlocks blocks) throws IOException {
    opening.set(blocks);
    try {
      return open(path, BUFFER_IS_OURS, true);
    } finally {
      opening.remove();
    }
  }

  /** Called by {@link DFSClient#open} on its caller's thread, and by streams that look again. */
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
