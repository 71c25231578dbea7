package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.read.BlockReplica;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class ReplicaInputStreamTest {
  private static final long NOW = 1_700_000_000_000L;

  @Test
  void replicasThatTheNameNodePutsLastAreNotChosen() {
    DatanodeInfo left = node("left", NOW);
    left.setDecommissioned();
    DatanodeInfo paused = node("paused", NOW);
    paused.startMaintenance();
    assertThat(chosenFrom(left, paused, node("silent", NOW - 30_000), node("late", NOW - 9_000)))
        .containsExactly("late");
  }

  @Test
  void replicasOnNodesThatAreStillLeavingAreChosen() {
    DatanodeInfo leaving = node("leaving", NOW);
    leaving.startDecommission();
    assertThat(chosenFrom(leaving)).containsExactly("leaving");
  }

  @Test
  void anOldReplicaOfThisHostIsChosen() {
    LocatedBlock block = block(node("here", NOW - 40_000), node("there", NOW));
    assertThat(
            ReplicaInputStream.readBlock(block, node -> node.getHostName().equals("here"))
                .isStripable())
        .isFalse();
  }

  @Test
  void replicasOfUnknownAgeAreChosen() {
    assertThat(chosenFrom(node("a", 0), node("b", 0))).containsExactly("a", "b");
  }

  private static Iterable<String> chosenFrom(DatanodeInfo... nodes) {
    return ReplicaInputStream.readBlock(block(nodes), node -> false).replicas().stream()
        .map(BlockReplica::node)
        .toList();
  }

  private static LocatedBlock block(DatanodeInfo... nodes) {
    DatanodeInfoWithStorage[] locations = new DatanodeInfoWithStorage[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      locations[i] = new DatanodeInfoWithStorage(nodes[i], "storage", StorageType.DISK);
    }
    return new LocatedBlock(new ExtendedBlock("pool", 1), locations);
  }

  private static DatanodeInfo node(String uuid, long lastUpdate) {
    return new DatanodeInfoBuilder()
        .setIpAddr("10.0.0.1")
        .setHostName(uuid)
        .setDatanodeUuid(uuid)
        .setNetworkLocation("/rack")
        .setLastUpdate(lastUpdate)
        .build();
  }
}
