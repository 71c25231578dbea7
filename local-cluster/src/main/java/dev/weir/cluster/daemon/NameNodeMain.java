package dev.weir.cluster.daemon;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.BootstrapStandby;

/**
 * A NameNode that makes its directory when that is empty, one process less to start: it formats it,
 * or, when it is to stand by, copies the other's.
 */
public final class NameNodeMain {
  /** Whether an empty directory is filled from the other NameNode. */
  public static final String BOOTSTRAP_STANDBY = "dev.weir.cluster.bootstrap-standby";

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_MILLIS = 250;

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
    if (empty && conf.getBoolean(BOOTSTRAP_STANDBY, false)) {
      bootstrap(conf);
    } else if (empty) {
      // Formatting would leave behind the metrics of a retry cache that the NameNode then makes.
      Configuration formatting = new HdfsConfiguration(conf);
      formatting.setBoolean("dfs.namenode.enable.retrycache", false);
      // The policy would go on watching the hints, a second time in this process.
      formatting.unset("dfs.block.replicator.classname");
      NameNode.format(formatting);
    }
    NameNode.main(args);
  }

  /** The other NameNode is starting too: asks until it answers. */
  private static void bootstrap(Configuration conf) throws Exception {
    Configuration impatient = new HdfsConfiguration(conf);
    impatient.setInt("ipc.client.connect.max.retries", 0);
    long begun = System.nanoTime();
    while (true) {
      BootstrapStandby copy = new BootstrapStandby();
      copy.setConf(new HdfsConfiguration(impatient));
      int code = copy.run(new String[] {"-nonInteractive", "-force", "-skipSharedEditsCheck"});
      if (code == 0) {
        return;
      }
      if (System.nanoTime() - begun > LIMIT_NANOS) {
        throw new IOException("The other NameNode gave no image to stand by with: code " + code);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }
}
