package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintText;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On an idle cluster a DataNode with a single transfer has more than twice the average load. */
class BusyNodesTest extends PolicyOverTwoRacks {
  private static final Hint TO_ALL = HintPresets.broadcast(6);

  @BeforeEach
  void makeTwoBusy() {
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true);
    makeBusy(node(1));
    makeBusy(node(4));
  }

  @Test
  void aFileForAllNodesGoesToBusyNodesToo() {
    WeirBlockPlacementPolicy policy = hinted("/f", TO_ALL, new LoadedStats(0.3));
    assertThat(write(policy, 6, node(0), NEW))
        .startsWith(node(0))
        .doesNotHaveDuplicates()
        .hasSize(6);
    assertThat(decisions(PlacementKind.BROADCAST, PlacementOutcome.HONOURED)).isEqualTo(1);
  }

  @Test
  void busyNodesAreSkippedIfOthersHaveRoom() {
    WeirBlockPlacementPolicy policy = hinted("/f", HintPresets.broadcast(4), new LoadedStats(0.3));
    assertThat(write(policy, 4, node(0), NEW)).hasSize(4).doesNotContain(node(1), node(4));
  }

  @Test
  void fullBusyNodesAreRejectedAndCounted() {
    setFree(node(4), 0);
    WeirBlockPlacementPolicy policy = hinted("/f", TO_ALL, new LoadedStats(0.3));
    assertThat(write(policy, 6, node(0), NEW)).hasSize(5).doesNotContain(node(4));
    assertThat(decisions(PlacementKind.BROADCAST, PlacementOutcome.PARTLY)).isEqualTo(1);
    assertReasons(PlacementKind.BROADCAST, Map.of(RejectionReason.FULL, 1L));
  }

  @Test
  void filesWithoutHintSkipBusyNodes() {
    WeirBlockPlacementPolicy policy = hinted("/other", TO_ALL, new LoadedStats(0.3));
    assertThat(write(policy, 6, node(0), NEW)).hasSize(4).doesNotContain(node(1), node(4));
  }

  @Test
  void anchorsAndNamedNodesMayHaveFourTimesTheAverageLoad() {
    Hint named = HintText.parse("nodes=n2+n3");
    setLoad(node(1), 8);
    assertThat(write(hinted("/f", named, new LoadedStats(2)), 1, null, NEW))
        .containsExactly(node(1));
    setLoad(node(1), 9);
    assertThat(write(hinted("/f", named, new LoadedStats(2)), 1, null, NEW))
        .containsExactly(node(2));
    assertThat(write(hinted("/f", named, new LoadedStats(2)), 1, node(1), NEW))
        .as("the writer's own node")
        .containsExactly(node(1));
    setLoad(anchors.get(0), 9);
    assertThat(write(hinted("/f", EAGER, new LoadedStats(2)), 1, null, NEW))
        .doesNotContain(anchors.get(0));
    assertReasons(PlacementKind.NODES, Map.of(RejectionReason.BUSY, 1L));
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    assertThat(write(hinted("/f", EAGER, new LoadedStats(2)), 1, null, NEW))
        .containsExactly(anchors.get(0));
  }

  @Test
  void fewTransfersAreNoLoad() {
    setLoad(node(1), 4);
    assertThat(write(hinted("/f", HintText.parse("nodes=n2"), new LoadedStats(0.1)), 1, null, NEW))
        .containsExactly(node(1));
  }

  private static void makeBusy(DatanodeDescriptor node) {
    setLoad(node, 1);
  }

  private static void setLoad(DatanodeDescriptor node, int transfers) {
    node.updateHeartbeat(
        BlockManagerTestUtil.getStorageReportsForDatanode(node), 0, 0, transfers, 0, null);
  }
}
