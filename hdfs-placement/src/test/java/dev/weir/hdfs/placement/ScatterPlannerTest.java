package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScatterPlannerTest {
  private static final List<TestSite> SITES = TestSite.sites(10, 3);
  private static final long MIB = 1 << 20;

  /** Four blocks of {@link TestView}. */
  private static final Hint FOUR_BLOCKS = hint(4 * MIB);

  @Test
  void theBlocksOfARegionAreTogetherAndSuccessiveRegionsAreNot() {
    for (int region = 0; region < 40; region++) {
      TestSite home = block(FOUR_BLOCKS, 4 * region).get(0);
      for (int block = 1; block < 4; block++) {
        assertThat(block(FOUR_BLOCKS, 4 * region + block)).startsWith(home);
      }
      assertThat(block(FOUR_BLOCKS, 4 * region + 4).get(0)).isNotEqualTo(home);
    }
  }

  @Test
  void noNodeHasTwoRegionsMoreThanAnother() {
    Map<TestSite, Integer> regions = new HashMap<>();
    for (int region = 0; region < 57; region++) {
      regions.merge(block(hint(MIB), region).get(0), 1, Integer::sum);
      int most = regions.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
      int least =
          regions.size() < SITES.size()
              ? 0
              : regions.values().stream().min(Integer::compare).orElseThrow();
      assertThat(most - least).as("after region %d", region).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void ineligibleNodesAreSkipped() {
    List<TestSite> eligible = SITES.subList(2, 8);
    Map<TestSite, Integer> regions = new HashMap<>();
    for (int region = 0; region < 60; region++) {
      PlacementPlan<TestSite> plan =
          PlacementPlanner.plan(
              hint(MIB),
              TestView.newBlock(SITES, 1, null).withIndex(region).withEligible(eligible));
      regions.merge(plan.wanted().get(0), 1, Integer::sum);
    }
    assertThat(regions).containsOnlyKeys(eligible);
    assertThat(regions.values()).containsOnly(10);
  }

  @Test
  void theReplicasOfARegionAreTogetherAndOnTwoRacks() {
    for (int region = 0; region < 30; region++) {
      List<TestSite> first = block(FOUR_BLOCKS, 4 * region).subList(0, 3);
      assertThat(first.get(0).rack()).isNotEqualTo(first.get(1).rack());
      assertThat(first).doesNotHaveDuplicates();
      for (int block = 1; block < 4; block++) {
        assertThat(block(FOUR_BLOCKS, 4 * region + block))
            .startsWith(first.toArray(TestSite[]::new));
      }
    }
  }

  @Test
  void filesBeginOnDifferentNodes() {
    Set<TestSite> begins = new HashSet<>();
    for (int file = 0; file < 200; file++) {
      begins.add(
          PlacementPlanner.plan(
                  FOUR_BLOCKS, TestView.newBlock(SITES, 1, null).withIndex(0).withPath("/f" + file))
              .wanted()
              .get(0));
    }
    assertThat(begins).hasSize(10);
  }

  @Test
  void anUnfinishedFileIsPlacedLikeItsTarget() {
    TestView view = TestView.newBlock(SITES, 3, null).withIndex(7);
    List<TestSite> expected = PlacementPlanner.plan(FOUR_BLOCKS, view).wanted();
    for (String name : List.of("/f._COPYING_", "/f.weir-17")) {
      assertThat(PlacementPlanner.plan(FOUR_BLOCKS, view.withPath(name)).wanted())
          .isEqualTo(expected);
    }
  }

  @Test
  void aBlockOfUnknownIndexIsStockWithAReason() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(FOUR_BLOCKS, TestView.newBlock(SITES, 3, null));
    assertThat(plan)
        .isEqualTo(
            new PlacementPlan<>(
                PlacementKind.SCATTER, 3, 0, List.of(), false, List.of(RejectionReason.NO_INDEX)));
    assertThat(plan.outcome(3, SITES.subList(0, 3))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void noSiteIsWantedIfNoNodeIsEligible() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(
            FOUR_BLOCKS, TestView.newBlock(SITES, 3, null).withIndex(9).withEligible(List.of()));
    assertThat(plan.wanted()).isEmpty();
  }

  @Test
  void copiesGoWhereTheWriteWouldHavePutThem() {
    for (int block = 0; block < 40; block++) {
      List<TestSite> written = block(FOUR_BLOCKS, block).subList(0, 3);
      for (int have = 1; have < 3; have++) {
        PlacementPlan<TestSite> plan =
            PlacementPlanner.plan(
                FOUR_BLOCKS, TestView.copy(SITES, 3 - have, written.subList(0, have)));
        List<TestSite> all = new ArrayList<>(written.subList(0, have));
        all.addAll(plan.best());
        assertThat(all).as("block %d with %d", block, have).containsAll(written.subList(0, 2));
        assertThat(plan.directed()).isTrue();
      }
    }
  }

  @Test
  void copiesDoNotDependOnTheOrderOfHolders() {
    List<TestSite> written = block(FOUR_BLOCKS, 0).subList(0, 2);
    List<TestSite> reversed = List.of(written.get(1), written.get(0));
    assertThat(PlacementPlanner.plan(FOUR_BLOCKS, TestView.copy(SITES, 1, reversed)).wanted())
        .isEqualTo(PlacementPlanner.plan(FOUR_BLOCKS, TestView.copy(SITES, 1, written)).wanted());
  }

  @Test
  void regionsAreCountedInBytesAndLargeBlocksAreOwnRegions() {
    assertThat(ScatterPlanner.region(7, MIB, 4 * MIB)).isEqualTo(1);
    assertThat(ScatterPlanner.region(8, MIB, 4 * MIB)).isEqualTo(2);
    assertThat(ScatterPlanner.region(3, 2 * MIB, 3 * MIB)).isEqualTo(2);
    assertThat(ScatterPlanner.region(3, 4 * MIB, MIB)).isEqualTo(3);
    assertThat(ScatterPlanner.region(9_999, 1L << 40, 1L << 41)).isEqualTo(4_999);
  }

  private static Hint hint(long regionBytes) {
    return Hint.builder().placement(new Placement.Scatter(regionBytes)).build();
  }

  private static List<TestSite> block(Hint hint, int index) {
    return PlacementPlanner.plan(hint, TestView.newBlock(SITES, 3, null).withIndex(index)).wanted();
  }
}
