package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacementPlannerTest {
  private static final List<TestSite> SITES = TestSite.sites(12, 3);
  private static final TestSite WRITER = SITES.get(4);
  private static final List<TestSite> ANCHORS = Anchors.of("g", SITES, 12);
  private static final Hint LOCAL = Hint.builder().placement(new Placement.Local()).build();
  private static final Hint TEMPORARY =
      HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
  private static final Hint EAGER = Hint.builder().placement(new Placement.Collocate("g")).build();

  @Test
  void anEmptyHintIsStock() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(Hint.builder().build(), newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new PlacementPlan<>(PlacementKind.OTHER, 3, 0, List.of(), false));
    assertThat(plan.outcome(3, SITES.subList(0, 3))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void localEagerWantsTheWriterAmongAllReplicas() {
    PlacementPlan<TestSite> plan = PlacementPlanner.plan(LOCAL, newBlock(3, WRITER));
    assertThat(plan)
        .isEqualTo(new PlacementPlan<>(PlacementKind.LOCAL, 3, 0, List.of(WRITER), false));
    assertThat(plan.outcome(3, List.of(WRITER, SITES.get(0), SITES.get(1))))
        .isEqualTo(PlacementOutcome.HONOURED);
    assertThat(plan.outcome(3, SITES.subList(0, 3))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void temporaryLocalLazyWantsTheWriterAlone() {
    PlacementPlan<TestSite> plan = PlacementPlanner.plan(TEMPORARY, newBlock(3, WRITER));
    assertThat(plan)
        .isEqualTo(new PlacementPlan<>(PlacementKind.LOCAL, 1, 0, List.of(WRITER), false));
    assertThat(plan.outcome(3, List.of(WRITER))).isEqualTo(PlacementOutcome.HONOURED);
    assertThat(plan.outcome(3, List.of(SITES.get(0)))).isEqualTo(PlacementOutcome.PARTLY);
  }

  @Test
  void lazyFilesBeginWithTwoReplicasAndTemporaryOnesWithOne() {
    assertThat(targets(HintPresets.pipeline(), newBlock(3, WRITER))).isEqualTo(2);
    assertThat(targets(TEMPORARY, newBlock(3, WRITER))).isEqualTo(1);
    assertThat(targets(HintPresets.pipeline(), newBlock(1, WRITER))).isEqualTo(1);
    assertThat(targets(TEMPORARY, newBlock(3, WRITER).withMinReplicas(2))).isEqualTo(2);
    assertThat(targets(TEMPORARY, newBlock(1, WRITER).withMinReplicas(2))).isEqualTo(1);
  }

  @Test
  void filesWhoseWriterChoseTheReplicationAreNotLazy() {
    Hint five = HintText.parse("local,lazy=5");
    assertThat(targets(five, newBlock(5, WRITER))).isEqualTo(2);
    assertThat(targets(five, newBlock(3, WRITER))).isEqualTo(2);
    assertThat(targets(five, newBlock(4, WRITER))).isEqualTo(4);
    assertThat(targets(HintPresets.pipeline(), newBlock(2, WRITER))).isEqualTo(2);
    assertThat(targets(TEMPORARY, newBlock(2, WRITER))).isEqualTo(2);
    assertThat(PlacementPlanner.plan(HintPresets.reduce("g"), newBlock(4, WRITER)).wanted())
        .startsWith(ANCHORS.get(0), ANCHORS.get(1));
  }

  @Test
  void noFileIsLazyDuringABacklog() {
    assertThat(targets(HintPresets.pipeline(), newBlock(3, WRITER).withBacklog())).isEqualTo(3);
    assertThat(targets(TEMPORARY, newBlock(3, WRITER).withBacklog())).isEqualTo(3);
  }

  @Test
  void localWithoutADataNodeOnTheWritersHostFollowsTheNumberOnly() {
    PlacementPlan<TestSite> plan = PlacementPlanner.plan(HintPresets.pipeline(), newBlock(3, null));
    assertThat(plan)
        .isEqualTo(
            new PlacementPlan<>(
                PlacementKind.LOCAL, 2, 0, List.of(), false, List.of(RejectionReason.NO_WRITER)));
    assertThat(plan.outcome(3, List.of(SITES.get(0)))).isEqualTo(PlacementOutcome.PARTLY);
  }

  @Test
  void copiesOfALocalFileAreStock() {
    PlacementPlan<TestSite> plan = PlacementPlanner.plan(HintPresets.pipeline(), copy(2, WRITER));
    assertThat(plan).isEqualTo(new PlacementPlan<>(PlacementKind.LOCAL, 2, 0, List.of(), false));
  }

  @Test
  void eagerCollocateWritesToTheAnchors() {
    PlacementPlan<TestSite> plan = PlacementPlanner.plan(EAGER, newBlock(3, WRITER));
    assertThat(plan)
        .isEqualTo(
            new PlacementPlan<>(PlacementKind.COLLOCATE, 3, 0, ANCHORS.subList(0, 11), true));
    assertThat(plan.outcome(3, ANCHORS.subList(0, 3))).isEqualTo(PlacementOutcome.HONOURED);
    assertThat(plan.outcome(3, ANCHORS.subList(1, 4))).isEqualTo(PlacementOutcome.PARTLY);
    assertThat(plan.outcome(3, ANCHORS.subList(11, 12))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void lazyCollocateLeavesTheFirstReplicaWithItsWriter() {
    Hint temporary = HintPresets.reduce("g").toBuilder().lifetime(Lifetime.scratch()).build();
    assertThat(PlacementPlanner.plan(temporary, newBlock(2, WRITER)))
        .isEqualTo(new PlacementPlan<>(PlacementKind.COLLOCATE, 1, 0, List.of(WRITER), false));
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(HintPresets.reduce("g"), newBlock(3, WRITER));
    TestSite anchor =
        ANCHORS.stream()
            .filter(site -> !site.rack().equals(WRITER.rack()))
            .findFirst()
            .orElseThrow();
    assertThat(plan.best()).as("on two racks").containsExactly(WRITER, anchor);
    assertThat(plan.directed()).isTrue();
  }

  @Test
  void lazyCollocateOfAnExternalWriterGoesToTheFirstAnchor() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(HintPresets.reduce("g"), newBlock(3, null));
    assertThat(plan.targets()).isEqualTo(2);
    assertThat(plan.wanted()).startsWith(ANCHORS.get(0), ANCHORS.get(1));
    assertThat(plan.directed()).isTrue();
  }

  @Test
  void copiesOfACollocatedFileGoToTheAnchorsThatLackIt() {
    for (Hint hint : List.of(EAGER, HintPresets.reduce("g"))) {
      PlacementPlan<TestSite> plan = PlacementPlanner.plan(hint, copy(2, ANCHORS.get(0)));
      List<TestSite> expected = new ArrayList<>(ANCHORS.subList(1, 11));
      assertThat(plan)
          .isEqualTo(new PlacementPlan<>(PlacementKind.COLLOCATE, 2, 0, expected, true));
    }
  }

  @Test
  void aFileOfASpreadGroupIsWantedOnTheAnchorsOfItsSet() {
    Hint spread = Hint.builder().placement(new Placement.Collocate("g", 4)).build();
    Set<TestSite> firsts = new HashSet<>();
    for (int file = 0; file < 100; file++) {
      String path = "/out/" + file;
      List<TestSite> expected = Anchors.ofFile("g", 4, path, SITES, 11);
      assertThat(PlacementPlanner.plan(spread, newBlock(3, WRITER).withPath(path)))
          .isEqualTo(new PlacementPlan<>(PlacementKind.COLLOCATE, 3, 0, expected, true));
      assertThat(PlacementPlanner.plan(spread, copy(1, expected.get(0)).withPath(path)).wanted())
          .startsWith(expected.get(1));
      firsts.add(expected.get(0));
    }
    assertThat(firsts).hasSize(4);
  }

  @Test
  void broadcastIsHonouredWhenThereAreEnoughReplicas() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(HintPresets.broadcast(4), newBlock(4, WRITER));
    assertThat(plan)
        .isEqualTo(new PlacementPlan<>(PlacementKind.BROADCAST, 4, 4, List.of(), false));
    assertThat(plan.outcome(4, SITES.subList(0, 4))).isEqualTo(PlacementOutcome.HONOURED);
    assertThat(plan.outcome(4, SITES.subList(0, 3))).isEqualTo(PlacementOutcome.PARTLY);
    assertThat(plan.outcome(3, SITES.subList(0, 3))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void aBroadcastWithTooFewStockTargetsTriesOtherNodes() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(HintPresets.broadcast(4), newBlock(4, WRITER));
    assertThat(plan.lacksReplicas(4)).isFalse();
    assertThat(plan.lacksReplicas(3)).isTrue();
    assertThat(PlacementPlanner.fallbackSites(plan, newBlock(4, WRITER)))
        .as("all sites of a small cluster")
        .containsExactlyInAnyOrderElementsOf(SITES);
    assertThat(PlacementPlanner.plan(HintPresets.pipeline(), newBlock(4, WRITER)).lacksReplicas(0))
        .isFalse();
  }

  @Test
  void namedNodesAreWantedInTheOrderOfTheirNames() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(nodes("n7", "n2", "N9", "n5"), newBlock(2, WRITER));
    List<TestSite> expected = List.of(SITES.get(7), SITES.get(2), SITES.get(9), SITES.get(5));
    assertThat(plan).isEqualTo(new PlacementPlan<>(PlacementKind.NODES, 2, 0, expected, true));
    assertThat(plan.outcome(2, List.of(SITES.get(2), SITES.get(7))))
        .isEqualTo(PlacementOutcome.HONOURED);
    assertThat(plan.outcome(2, List.of(SITES.get(7), SITES.get(5))))
        .isEqualTo(PlacementOutcome.PARTLY);
    assertThat(plan.outcome(2, List.of(SITES.get(0), SITES.get(1))))
        .isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void unknownNodeNamesAreSkippedAndReportedIfNeeded() {
    PlacementPlan<TestSite> plan =
        PlacementPlanner.plan(nodes("x", "n1", "y", "n2", "z"), newBlock(2, WRITER));
    assertThat(plan)
        .isEqualTo(
            new PlacementPlan<>(
                PlacementKind.NODES,
                2,
                0,
                List.of(SITES.get(1), SITES.get(2)),
                true,
                List.of(RejectionReason.ABSENT, RejectionReason.ABSENT)));
    assertThat(plan.outcome(2, SITES.subList(1, 3))).isEqualTo(PlacementOutcome.PARTLY);
    PlacementPlan<TestSite> none = PlacementPlanner.plan(nodes("x"), newBlock(2, WRITER));
    assertThat(none.outcome(2, SITES.subList(1, 3))).isEqualTo(PlacementOutcome.STOCK);
  }

  @Test
  void aPortDistinguishesDataNodesOnOneHost() {
    List<TestSite> sameHost = List.of(new TestSite("h", 1, "/r"), new TestSite("h", 2, "/r"));
    SitesByName<TestSite> known = new SitesByName<>(sameHost);
    assertThat(known.find("h:2")).containsExactly(sameHost.get(1));
    assertThat(known.find("h")).containsExactlyElementsOf(sameHost);
    assertThat(known.find("h:3")).isEmpty();
    assertThat(PlacementPlanner.plan(nodes("n3:9866", "n3"), newBlock(1, null)).wanted())
        .containsExactly(SITES.get(3));
  }

  @Test
  void copiesOfAFileWithNamedNodesGoToThoseThatLackIt() {
    assertThat(PlacementPlanner.plan(nodes("n7", "n2", "n9"), copy(2, SITES.get(2))))
        .isEqualTo(
            new PlacementPlan<>(
                PlacementKind.NODES, 2, 0, List.of(SITES.get(7), SITES.get(9)), true));
  }

  @Test
  void aLazyFileWithNamedNodesIsWrittenToTheFirstTwo() {
    Hint lazy = nodes("n7", "n2").toBuilder().replication(Replication.lazy()).build();
    assertThat(PlacementPlanner.plan(lazy, newBlock(3, WRITER)))
        .isEqualTo(
            new PlacementPlan<>(
                PlacementKind.NODES, 2, 0, List.of(SITES.get(7), SITES.get(2)), true));
  }

  private static int targets(Hint hint, TestView view) {
    return PlacementPlanner.plan(hint, view).targets();
  }

  private static Hint nodes(String... names) {
    return Hint.builder().placement(new Placement.Nodes(List.of(names))).build();
  }

  private static TestView newBlock(int replicas, @Nullable TestSite writer) {
    return TestView.newBlock(SITES, replicas, writer);
  }

  private static TestView copy(int replicas, TestSite source) {
    return TestView.copy(SITES, replicas, List.of(source));
  }
}
