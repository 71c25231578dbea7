package dev.weir.cluster.daemon;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/** A DataNode and a NodeManager in one process, which halves the cost of a node. */
public final class NodeMain {
  private static final long CHECK_SECONDS = 1;
  private static final long POLL_MILLIS = 50;

  private NodeMain() {}

  /**
   * Starts both and returns. The process ends when one of them ends.
   *
   * @param args the arguments of the NodeManager
   */
  public static void main(String[] args) throws Exception {
    // Both register metrics of the same names. This mode makes the names unique instead of failing.
    DefaultMetricsSystem.setMiniClusterMode(true);
    DataNode dataNode = DataNode.createDataNode(new String[0], new HdfsConfiguration(), null);
    if (dataNode == null) {
      ExitUtil.terminate(1, "The DataNode refused its configuration");
      return;
    }
    endWith(dataNode);
    // A bean is named after the component that initialised the metrics last. The DataNode registers
    // some of its beans after it has registered with the NameNode, so the NodeManager starts after
    // that.
    while (!dataNode.isDatanodeFullyStarted()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    DefaultMetricsSystem.initialize("NodeManager");
    NodeManager.main(args);
  }

  /**
   * Ends the process with the DataNode, as DataNode's own main method does. Otherwise a DataNode
   * that the NameNode refused would look alive.
   */
  private static void endWith(DataNode dataNode) {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "datanode-watch");
              thread.setDaemon(true);
              return thread;
            });
    Runnable check =
        () -> {
          if (!dataNode.isDatanodeUp()) {
            ExitUtil.terminate(1, "The DataNode has stopped");
          }
        };
    var unused =
        watch.scheduleWithFixedDelay(check, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }
}
