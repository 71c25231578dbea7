package dev.weir.bench.yarn;

import dev.weir.bench.yarn.SequentialApplication.HeldFile;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes files with one replica to chosen nodes. */
final class SingleReplicaFiles {
  private static final int DATANODE_PORT = 9866;
  private static final int BUFFER = 64 * 1024;

  private SingleReplicaFiles() {}

  /**
   * Writes a number of files to each node.
   *
   * @throws IOException if a file is on another node
   */
  static List<HeldFile> write(LocalCluster cluster, int perNode, int bytes) throws IOException {
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    List<HeldFile> files = new ArrayList<>();
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      for (NodeInfo node : cluster.nodes()) {
        for (int i = 0; i < perNode; i++) {
          HeldFile file = new HeldFile("/held/" + node.name() + "-" + i, node.name());
          write(fs, new Path(file.path()), node, bytes);
          files.add(file);
        }
      }
    }
    return files;
  }

  private static void write(DistributedFileSystem fs, Path path, NodeInfo node, int bytes)
      throws IOException {
    InetSocketAddress favoredNode =
        InetSocketAddress.createUnresolved(node.address(), DATANODE_PORT);
    try (FSDataOutputStream out =
        fs.create(
            path,
            FsPermission.getFileDefault(),
            true,
            BUFFER,
            (short) 1,
            fs.getDefaultBlockSize(path),
            null,
            new InetSocketAddress[] {favoredNode})) {
      byte[] buffer = new byte[BUFFER];
      for (int written = 0; written < bytes; written += BUFFER) {
        out.write(buffer);
      }
    }
    for (BlockLocation block : fs.getFileBlockLocations(path, 0, bytes)) {
      if (!List.of(node.name()).equals(Arrays.asList(block.getHosts()))) {
        throw new IOException(path + " should be only on " + node.name() + ": " + block);
      }
    }
  }
}
