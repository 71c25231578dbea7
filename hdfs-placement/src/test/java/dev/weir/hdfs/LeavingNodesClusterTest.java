package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.FILE_BYTES;
import static dev.weir.hdfs.HintedCluster.LONG;
import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * DataNodes with replicas of hinted files leave a real NameNode. As in stock HDFS, every block
 * regains its replicas, and no hint fails.
 */
class LeavingNodesClusterTest {
  private static HintedCluster cluster;

  private final long failures = PlacementMetrics.registered().failures();

  @BeforeAll
  static void startCluster() throws Exception {
    Hint through =
        Hint.builder()
            .placement(new Placement.Collocate("through"))
            .replication(Replication.eager(2))
            .build();
    cluster =
        HintedCluster.start(
            List.of(rule("/through/*", through), rule("/back/*", HintPresets.reduce("back"))));
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @AfterEach
  void everyBlockHasItsReplicasAndNoHintFailed() {
    await().atMost(LONG).until(() -> blocks().getLowRedundancyBlocksCount() == 0);
    assertThat(blocks().getMissingBlocksCount()).isZero();
    assertThat(PlacementMetrics.registered().failures()).isEqualTo(failures);
  }

  @Test
  void aNodeWithHintedFilesIsDecommissionedAndReturns() throws Exception {
    Path file = cluster.write("/through/leaving", FILE_BYTES);
    Set<String> anchors = cluster.awaitHosts(file, 2);
    DatanodeDescriptor leaving = node(anchors.iterator().next());
    locked(() -> admin().startDecommission(leaving));
    await().atMost(LONG).until(leaving::isDecommissioned);
    assertThat(others(file, leaving)).as("replicas on nodes that stay").hasSize(2);
    assertThat(cluster.awaitHosts(cluster.write("/through/meanwhile", FILE_BYTES), 2))
        .doesNotContain(leaving.getHostName());
    locked(() -> admin().stopDecommission(leaving));
    assertThat(cluster.awaitHosts(cluster.write("/through/after", FILE_BYTES), 2))
        .isEqualTo(anchors);
    cluster.awaitHosts(file, 2);
  }

  @Test
  void aNodeWithHintedFilesEntersMaintenanceAndReturns() throws Exception {
    Path file = cluster.write("/through/kept", FILE_BYTES);
    Set<String> anchors = cluster.awaitHosts(file, 2);
    DatanodeDescriptor inMaintenance = node(anchors.iterator().next());
    locked(() -> admin().startMaintenance(inMaintenance, Long.MAX_VALUE));
    await().atMost(LONG).until(inMaintenance::isInMaintenance);
    assertThat(cluster.awaitHosts(cluster.write("/through/resting", FILE_BYTES), 2))
        .doesNotContain(inMaintenance.getHostName());
    locked(() -> admin().stopMaintenance(inMaintenance));
    assertThat(cluster.awaitHosts(cluster.write("/through/rested", FILE_BYTES), 2))
        .isEqualTo(anchors);
    assertThat(cluster.awaitHosts(file, 2)).isEqualTo(anchors);
  }

  @Test
  void replicasOfALostNodeAreRestoredAndItsFilesGoToTheNextAnchor() throws Exception {
    Path through = cluster.write("/through/lost", FILE_BYTES);
    Path back = cluster.write("/back/lost", FILE_BYTES);
    Set<String> anchors = cluster.awaitHosts(through, 2);
    cluster.awaitHosts(back, 3);
    DatanodeDescriptor lost = node(anchors.iterator().next());
    MiniDFSCluster.DataNodeProperties stopped = cluster.hadoop().stopDataNode(lost.getXferAddr());
    cluster.hadoop().setDataNodeDead(lost);
    await().atMost(LONG).until(() -> others(through, lost).size() == 2);
    await().atMost(LONG).until(() -> others(back, lost).size() == 3);
    assertThat(cluster.awaitHosts(cluster.write("/through/without", FILE_BYTES), 2))
        .doesNotContain(lost.getHostName());
    assertThat(cluster.hadoop().restartDataNode(stopped, true)).isTrue();
    cluster.hadoop().waitActive();
    cluster.awaitHosts(through, 2);
    cluster.awaitHosts(back, 3);
    assertThat(cluster.awaitHosts(cluster.write("/through/again", FILE_BYTES), 2))
        .as("the same host and port is the same anchor")
        .isEqualTo(anchors);
  }

  private static Set<String> others(Path file, DatanodeDescriptor node) throws IOException {
    Set<String> hosts = new HashSet<>(cluster.hosts(file));
    hosts.remove(node.getHostName());
    return hosts;
  }

  private static DatanodeDescriptor node(String host) throws IOException {
    return cluster.dataNodes().stream()
        .filter(node -> node.getHostName().equals(host))
        .findFirst()
        .orElseThrow();
  }

  /** Runs a change with the lock that the NameNode holds when it refreshes its nodes. */
  private static void locked(Runnable change) {
    Lock lock = cluster.hadoop().getNamesystem().getFsLockForTests().writeLock();
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private static DatanodeAdminManager admin() {
    return blocks().getDatanodeManager().getDatanodeAdminManager();
  }

  private static BlockManager blocks() {
    return cluster.hadoop().getNamesystem().getBlockManager();
  }
}
