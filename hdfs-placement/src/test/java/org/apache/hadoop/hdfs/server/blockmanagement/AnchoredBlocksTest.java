package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.HintPresets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;

/** Placement of files of a group. */
class AnchoredBlocksTest extends PolicyOverTwoRacks {
  @Test
  void aCollocatedFileIsWrittenToItsAnchors() {
    for (DatanodeStorageInfo writer : storages) {
      assertThat(write(hinted("/f", EAGER), 1, writer.getDatanodeDescriptor(), NEW))
          .containsExactly(anchors.get(0));
      assertThat(write(hinted("/f", EAGER), 2, writer.getDatanodeDescriptor(), NEW))
          .containsExactlyInAnyOrder(anchors.get(0), anchors.get(1));
    }
    assertThat(write(hinted("/f", EAGER), 3, null, NEW)).contains(anchors.get(0), anchors.get(1));
  }

  @Test
  void theNextAnchorReplacesAFullExcludedOrLeavingOne() {
    setFree(anchors.get(0), 0);
    assertThat(write(hinted("/f", EAGER), 1, null, NEW)).containsExactly(anchors.get(1));
    anchors.get(1).startDecommission();
    assertThat(write(hinted("/f", EAGER), 1, null, NEW)).containsExactly(anchors.get(2));
    Set<Node> excluded = new HashSet<>(Set.of(anchors.get(2)));
    DatanodeStorageInfo[] targets =
        hinted("/f", EAGER)
            .chooseTarget("/f", 1, null, List.of(), false, excluded, BLOCK, storagePolicy, NEW);
    assertThat(nodes(targets)).containsExactly(anchors.get(3));
  }

  @Test
  void thereAreNoTargetsIfAllNodesAreFull() {
    storages.forEach(storage -> setFree(storage.getDatanodeDescriptor(), 0));
    assertThat(write(hinted("/f", EAGER), 3, node(0), NEW)).isEmpty();
  }

  @Test
  void rejectedAnchorsAreCountedByReason() {
    setFree(anchors.get(0), 0);
    anchors.get(1).startDecommission();
    WeirBlockPlacementPolicy policy = hinted("/f", EAGER);
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            1,
            null,
            List.of(),
            false,
            new HashSet<>(Set.of(anchors.get(2))),
            BLOCK,
            storagePolicy,
            NEW);
    assertThat(nodes(targets)).containsExactly(anchors.get(3));
    assertReasons(
        PlacementKind.COLLOCATE,
        Map.of(
            RejectionReason.FULL, 1L, RejectionReason.LEAVING, 1L, RejectionReason.EXCLUDED, 1L));
  }

  @Test
  void aStaleAnchorIsRejectedIfStaleNodesAreAvoided() {
    DFSTestUtil.resetLastUpdatesWithOffset(anchors.get(0), -3_600_000);
    WeirBlockPlacementPolicy policy = hinted("/f", EAGER, new StaleAvoidingStats());
    assertThat(write(policy, 1, null, NEW)).containsExactly(anchors.get(1));
    assertReasons(PlacementKind.COLLOCATE, Map.of(RejectionReason.STALE, 1L));
  }

  @Test
  void thePipelineStartsOnTheWritersNode() {
    List<DatanodeDescriptor> placed = write(hinted("/f", EAGER), 2, anchors.get(1), NEW);
    assertThat(placed).containsExactly(anchors.get(1), anchors.get(0));
  }

  @Test
  void copiesOfALazyFileGoToTheAnchors() {
    WeirBlockPlacementPolicy policy = hinted("/f", HintPresets.reduce("g"));
    write(policy, 3, node(0), NEW);
    for (DatanodeStorageInfo holder : storages) {
      List<DatanodeDescriptor> all = new ArrayList<>(copies(policy, holder, 2));
      all.add(holder.getDatanodeDescriptor());
      assertThat(all).hasSize(3).contains(anchors.get(0), anchors.get(1));
    }
  }

  @Test
  void copiesSkipFullAnchors() {
    setFree(anchors.get(0), 0);
    WeirBlockPlacementPolicy policy = hinted("/f", HintPresets.reduce("g"));
    write(policy, 3, anchors.get(1), NEW);
    DatanodeStorageInfo holder =
        storages.stream()
            .filter(storage -> isNeighbour(storage.getDatanodeDescriptor(), anchors.get(0)))
            .findAny()
            .orElseThrow();
    assertThat(copies(policy, holder, 2))
        .hasSize(2)
        .contains(anchors.get(1))
        .doesNotContain(anchors.get(0));
    // Once in the write and once for the copies.
    assertReasons(PlacementKind.COLLOCATE, Map.of(RejectionReason.FULL, 2L));
  }

  private static boolean isNeighbour(DatanodeDescriptor node, DatanodeDescriptor other) {
    return !node.equals(other) && node.getNetworkLocation().equals(other.getNetworkLocation());
  }
}
