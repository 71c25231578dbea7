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
 * A NameNode that fills its directory if that is empty, which saves starting one process: it
 * formats the directory or, as a standby, copies the image of the other NameNode.
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
   * @param args the arguments of the NameNode
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    boolean empty =
        FSNamesystem.getNamespaceDirs(conf).stream()
            .noneMatch(dir -> new File(dir.getPath(), "current/VERSION").exists());
    if (empty && conf.getBoolean(BOOTSTRAP_STANDBY, false)) {
      bootstrap(conf);
    } else if (empty) {
      // Formatting would register metrics of a retry cache, which the NameNode then registers
      // again.
      Configuration formatting = new HdfsConfiguration(conf);
      formatting.setBoolean("dfs.namenode.enable.retrycache", false);
      // Otherwise this process would watch the hints twice.
      formatting.unset("dfs.block.replicator.classname");
      NameNode.format(formatting);
    }
    NameNode.main(args);
  }

  /** The other NameNode is starting too, so this method retries until it answers. */
  private static void bootstrap(Configuration conf) throws Exception {
    Configuration withoutRetries = new HdfsConfiguration(conf);
    withoutRetries.setInt("ipc.client.connect.max.retries", 0);
    long startNanos = System.nanoTime();
    while (true) {
      BootstrapStandby copy = new BootstrapStandby();
      copy.setConf(new HdfsConfiguration(withoutRetries));
      int code = copy.run(new String[] {"-nonInteractive", "-force", "-skipSharedEditsCheck"});
      if (code == 0) {
        return;
      }
      if (System.nanoTime() - startNanos > LIMIT_NANOS) {
        throw new IOException("The other NameNode gave no image to the standby: exit code " + code);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }
}
