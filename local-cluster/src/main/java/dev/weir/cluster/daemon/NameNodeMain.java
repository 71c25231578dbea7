package dev.weir.cluster.daemon;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** A NameNode that formats its directory when that is empty: one process less to start. */
public final class NameNodeMain {
  private NameNodeMain() {}

  /**
   * Runs until the NameNode ends.
   *
   * @param args as for the NameNode
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    boolean empty =
        FSNamesystem.getNamespaceDirs(conf).stream()
            .noneMatch(dir -> new File(dir.getPath(), "current/VERSION").exists());
    if (empty) {
      // Formatting would leave behind the metrics of a retry cache that the NameNode then makes.
      Configuration formatting = new HdfsConfiguration(conf);
      formatting.setBoolean("dfs.namenode.enable.retrycache", false);
      NameNode.format(formatting);
    }
    NameNode.main(args);
  }
}
