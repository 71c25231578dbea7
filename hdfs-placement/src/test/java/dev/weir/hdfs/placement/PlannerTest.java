package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Presets;
import dev.weir.hints.Replication;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final List<TestSite> SITES = TestSite.sites(12, 3);
  private static final TestSite WRITER = SITES.get(4);
  private static final List<TestSite> ANCHORS = Anchors.of("g", SITES, 12);
  private static final Hint LOCAL = Hint.builder().placement(new Placement.Local()).build();
  private static final Hint THROUGH =
      Hint.builder().placement(new Placement.Collocate("g")).build();

  @Test
  void anEmptyHintIsStock() {
    Plan<TestSite> plan = Planner.plan(Hint.builder().build(), newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.OTHER, 3, 0, List.of(), false));
    assertThat(plan.judge(3, SITES.subList(0, 3))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void localEagerWantsTheWriterAmongAllReplicas() {
    Plan<TestSite> plan = Planner.plan(LOCAL, newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.LOCAL, 3, 0, List.of(WRITER), false));
    assertThat(plan.judge(3, List.of(WRITER, SITES.get(0), SITES.get(1))))
        .isEqualTo(Outcome.HONOURED);
    assertThat(plan.judge(3, SITES.subList(0, 3))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void localLazyWantsTheWriterAlone() {
    Plan<TestSite> plan = Planner.plan(Presets.pipeline(), newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.LOCAL, 1, 0, List.of(WRITER), false));
    assertThat(plan.judge(3, List.of(WRITER))).isEqualTo(Outcome.HONOURED);
    assertThat(plan.judge(3, List.of(SITES.get(0)))).isEqualTo(Outcome.PARTLY);
  }

  @Test
  void lazyHasAsManyReplicasAsHdfsInsistsOn() {
    assertThat(Planner.plan(Presets.pipeline(), newBlock(3, WRITER).withMinReplicas(2)).targets())
        .isEqualTo(2);
    assertThat(Planner.plan(Presets.pipeline(), newBlock(1, WRITER).withMinReplicas(2)).targets())
        .isEqualTo(1);
  }

  @Test
  void localWithoutADataNodeOnTheWritersHostFollowsTheNumberOnly() {
    Plan<TestSite> plan = Planner.plan(Presets.pipeline(), newBlock(3, null));
    assertThat(plan)
        .isEqualTo(new Plan<>(Kind.LOCAL, 1, 0, List.of(), false, List.of(Reason.NO_WRITER)));
    assertThat(plan.judge(3, List.of(SITES.get(0)))).isEqualTo(Outcome.PARTLY);
  }

  @Test
  void copiesOfALocalFileAreStock() {
    Plan<TestSite> plan = Planner.plan(Presets.pipeline(), copy(2, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.LOCAL, 2, 0, List.of(), false));
  }

  @Test
  void collocateWritesThroughToTheAnchors() {
    Plan<TestSite> plan = Planner.plan(THROUGH, newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.COLLOCATE, 3, 0, ANCHORS.subList(0, 11), true));
    assertThat(plan.judge(3, ANCHORS.subList(0, 3))).isEqualTo(Outcome.HONOURED);
    assertThat(plan.judge(3, ANCHORS.subList(1, 4))).isEqualTo(Outcome.PARTLY);
    assertThat(plan.judge(3, ANCHORS.subList(11, 12))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void lazyCollocateLeavesTheFirstReplicaWithItsWriter() {
    Plan<TestSite> plan = Planner.plan(Presets.reduce("g"), newBlock(3, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.COLLOCATE, 1, 0, List.of(WRITER), false));
  }

  @Test
  void lazyCollocateOfAWriterOutsideGoesToTheFirstAnchor() {
    Plan<TestSite> plan = Planner.plan(Presets.reduce("g"), newBlock(3, null));
    assertThat(plan.targets()).isEqualTo(1);
    assertThat(plan.wanted()).startsWith(ANCHORS.get(0), ANCHORS.get(1));
    assertThat(plan.directed()).isTrue();
  }

  @Test
  void copiesOfACollocatedFileGoToTheAnchorsThatLackIt() {
    for (Hint hint : List.of(THROUGH, Presets.reduce("g"))) {
      Plan<TestSite> plan = Planner.plan(hint, copy(2, ANCHORS.get(0)));
      List<TestSite> expected = new ArrayList<>(ANCHORS.subList(1, 11));
      assertThat(plan).isEqualTo(new Plan<>(Kind.COLLOCATE, 2, 0, expected, true));
    }
  }

  @Test
  void aFileOfASpreadGroupIsWantedOnTheAnchorsOfItsSet() {
    Hint spread = Hint.builder().placement(new Placement.Collocate("g", 4)).build();
    Set<TestSite> firsts = new HashSet<>();
    for (int file = 0; file < 100; file++) {
      String path = "/out/" + file;
      List<TestSite> expected = Anchors.ofFile("g", 4, path, SITES, 11);
      assertThat(Planner.plan(spread, newBlock(3, WRITER).withPath(path)))
          .isEqualTo(new Plan<>(Kind.COLLOCATE, 3, 0, expected, true));
      assertThat(Planner.plan(spread, copy(1, expected.get(0)).withPath(path)).wanted())
          .startsWith(expected.get(1));
      firsts.add(expected.get(0));
    }
    assertThat(firsts).hasSize(4);
  }

  @Test
  void broadcastIsHonouredWhenThereAreEnoughReplicas() {
    Plan<TestSite> plan = Planner.plan(Presets.broadcast(4), newBlock(4, WRITER));
    assertThat(plan).isEqualTo(new Plan<>(Kind.BROADCAST, 4, 4, List.of(), false));
    assertThat(plan.judge(4, SITES.subList(0, 4))).isEqualTo(Outcome.HONOURED);
    assertThat(plan.judge(4, SITES.subList(0, 3))).isEqualTo(Outcome.PARTLY);
    assertThat(plan.judge(3, SITES.subList(0, 3))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void aBroadcastOfWhichStockFindsTooFewLooksAtOthers() {
    Plan<TestSite> plan = Planner.plan(Presets.broadcast(4), newBlock(4, WRITER));
    assertThat(plan.lacks(4)).isFalse();
    assertThat(plan.lacks(3)).isTrue();
    assertThat(Planner.others(plan, newBlock(4, WRITER)))
        .as("a small cluster as a whole")
        .containsExactlyInAnyOrderElementsOf(SITES);
    assertThat(Planner.plan(Presets.pipeline(), newBlock(4, WRITER)).lacks(0)).isFalse();
  }

  @Test
  void namedNodesAreWantedInTheOrderOfTheirNames() {
    Plan<TestSite> plan = Planner.plan(nodes("n7", "n2", "N9", "n5"), newBlock(2, WRITER));
    List<TestSite> expected = List.of(SITES.get(7), SITES.get(2), SITES.get(9), SITES.get(5));
    assertThat(plan).isEqualTo(new Plan<>(Kind.NODES, 2, 0, expected, true));
    assertThat(plan.judge(2, List.of(SITES.get(2), SITES.get(7)))).isEqualTo(Outcome.HONOURED);
    assertThat(plan.judge(2, List.of(SITES.get(7), SITES.get(5)))).isEqualTo(Outcome.PARTLY);
    assertThat(plan.judge(2, List.of(SITES.get(0), SITES.get(1)))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void namesThatNobodyHasArePassedOverAndToldOfWhereTheyMatter() {
    Plan<TestSite> plan = Planner.plan(nodes("x", "n1", "y", "n2", "z"), newBlock(2, WRITER));
    assertThat(plan)
        .isEqualTo(
            new Plan<>(
                Kind.NODES,
                2,
                0,
                List.of(SITES.get(1), SITES.get(2)),
                true,
                List.of(Reason.ABSENT, Reason.ABSENT)));
    assertThat(plan.judge(2, SITES.subList(1, 3))).isEqualTo(Outcome.PARTLY);
    Plan<TestSite> none = Planner.plan(nodes("x"), newBlock(2, WRITER));
    assertThat(none.judge(2, SITES.subList(1, 3))).isEqualTo(Outcome.STOCK);
  }

  @Test
  void aNameMayTellDataNodesOnOneHostApart() {
    List<TestSite> twins = List.of(new TestSite("h", 1, "/r"), new TestSite("h", 2, "/r"));
    NamedSites<TestSite> known = new NamedSites<>(twins);
    assertThat(known.find("h:2")).containsExactly(twins.get(1));
    assertThat(known.find("h")).containsExactlyElementsOf(twins);
    assertThat(known.find("h:3")).isEmpty();
    assertThat(Planner.plan(nodes("n3:9866", "n3"), newBlock(1, null)).wanted())
        .containsExactly(SITES.get(3));
  }

  @Test
  void copiesOfAFileWithNamedNodesGoToThoseThatLackIt() {
    assertThat(Planner.plan(nodes("n7", "n2", "n9"), copy(2, SITES.get(2))))
        .isEqualTo(new Plan<>(Kind.NODES, 2, 0, List.of(SITES.get(7), SITES.get(9)), true));
  }

  @Test
  void aLazyFileWithNamedNodesIsWrittenToTheFirst() {
    Hint lazy = nodes("n7", "n2").toBuilder().replication(Replication.lazy()).build();
    assertThat(Planner.plan(lazy, newBlock(3, WRITER)))
        .isEqualTo(new Plan<>(Kind.NODES, 1, 0, List.of(SITES.get(7), SITES.get(2)), true));
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
