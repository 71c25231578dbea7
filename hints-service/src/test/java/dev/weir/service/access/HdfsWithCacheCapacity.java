package dev.weir.service.access;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/** An HDFS of which only the cache capacity of its two DataNodes and its capacity can be read. */
public final class HdfsWithCacheCapacity implements CallerFileSystems {
  private static final int PORT = 9866;
  private static final long DISK = 1L << 40;

  private final CallerFileSystems others;
  private final AtomicInteger calls = new AtomicInteger();
  private long bytes;
  private boolean secret;

  /** Creates the HDFS. Callers other than the service itself use another file system. */
  public HdfsWithCacheCapacity(CallerFileSystems others, long bytes) {
    this.others = others;
    this.bytes = bytes;
  }

  void bytes(long now) {
    bytes = now;
  }

  /** Refuses all further calls. */
  void secret() {
    secret = true;
  }

  int calls() {
    return calls.get();
  }

  @Override
  public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
      throws IOException {
    return user.equals(self())
        ? operation.apply(new Hdfs())
        : others.call(user, authority, operation);
  }

  @Override
  public String self() {
    return "hints";
  }

  @Override
  public void close() {
    others.close();
  }

  private final class Hdfs extends DistributedFileSystem {
    @Override
    public DatanodeInfo[] getDataNodeStats(DatanodeReportType type) throws IOException {
      calls.incrementAndGet();
      if (secret) {
        throw new AccessControlException("superusers only");
      }
      return new DatanodeInfo[] {node(0), node(bytes)};
    }

    @Override
    public FsStatus getStatus(Path path) {
      return new FsStatus(DISK, 0, DISK);
    }

    private DatanodeInfo node(long cache) {
      return new DatanodeInfo.DatanodeInfoBuilder()
          .setNodeID(new DatanodeID("127.0.0.1", "n1", "id", PORT, PORT, PORT, PORT))
          .setCacheCapacity(cache)
          .build();
    }
  }
}
