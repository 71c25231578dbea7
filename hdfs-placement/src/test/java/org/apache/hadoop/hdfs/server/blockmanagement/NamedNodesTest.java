package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.placement.PlacementKind;
import dev.weir.hdfs.placement.PlacementOutcome;
import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Placement of files whose hints name nodes. */
class NamedNodesTest extends PolicyOverTwoRacks {
  private static final Hint NAMED =
      Hint.builder().placement(new Placement.Nodes(List.of("n5", "n2", "n3"))).build();

  @Test
  void namedNodesTakeTheBlockInTheOrderOfTheirNames() {
    assertThat(write(hinted("/f", NAMED), 2, node(0), NEW)).containsExactly(node(4), node(1));
    assertThat(write(hinted("/f", NAMED), 4, node(0), NEW))
        .hasSize(4)
        .startsWith(node(4), node(1), node(2));
  }

  @Test
  void copiesGoToNamedNodes() {
    assertThat(copies(hinted("/f", NAMED), storages.get(1), 1)).containsExactly(node(4));
    assertThat(copies(hinted("/f", NAMED), storages.get(4), 2)).containsExactly(node(1), node(2));
  }

  @Test
  void namedNodesThatCannotTakeTheBlockAreCountedByReason() {
    setFree(node(4), 0);
    node(1).startDecommission();
    WeirBlockPlacementPolicy policy = hinted("/f", NAMED);
    assertThat(write(policy, 2, node(0), NEW)).hasSize(2).startsWith(node(2));
    assertThat(decisions(PlacementKind.NODES, PlacementOutcome.PARTLY)).isEqualTo(1);
    assertReasons(
        PlacementKind.NODES, Map.of(RejectionReason.FULL, 1L, RejectionReason.LEAVING, 1L));
  }

  @Test
  void unknownNamesAreCounted() {
    Hint ghost = Hint.builder().placement(new Placement.Nodes(List.of("ghost", "n3"))).build();
    WeirBlockPlacementPolicy policy = hinted("/f", ghost);
    assertThat(write(policy, 2, node(0), NEW)).hasSize(2).startsWith(node(2));
    assertThat(decisions(PlacementKind.NODES, PlacementOutcome.PARTLY)).isEqualTo(1);
    assertReasons(PlacementKind.NODES, Map.of(RejectionReason.ABSENT, 1L));
  }

  @Test
  void namedNodesMustNotAllBeOnOneRack() {
    Hint oneRack = Hint.builder().placement(new Placement.Nodes(List.of("n1", "n2"))).build();
    WeirBlockPlacementPolicy policy = hinted("/f", oneRack);
    List<DatanodeDescriptor> placed = write(policy, 2, node(0), NEW);
    assertThat(placed).hasSize(2).startsWith(node(0)).doesNotContain(node(1));
    assertReasons(PlacementKind.NODES, Map.of(RejectionReason.RACK, 1L));
  }
}
