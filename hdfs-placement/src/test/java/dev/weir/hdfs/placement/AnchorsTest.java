package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnchorsTest {
  private static final List<TestSite> SPREAD_SITES = TestSite.sites(24, 3);

  @Test
  void doNotDependOnTheOrderOfSites() {
    List<TestSite> sites = TestSite.sites(20, 4);
    List<TestSite> expected = Anchors.of("group", sites, 5);
    assertThat(expected).hasSize(5).doesNotHaveDuplicates();
    for (int seed = 0; seed < 20; seed++) {
      List<TestSite> shuffled = new ArrayList<>(sites);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(Anchors.of("group", shuffled, 5)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** Fixed values, so that no version moves the files of existing groups. */
  @Test
  void doNotChangeBetweenVersions() {
    assertThat(Anchors.of("task-1", TestSite.sites(8, 1), 8))
        .extracting(TestSite::host)
        .containsExactly("n0", "n6", "n1", "n3", "n4", "n5", "n7", "n2");
  }

  @Test
  void areOnTwoRacksIfThereAreTwo() {
    for (int group = 0; group < 200; group++) {
      for (int max = 2; max < 12; max++) {
        List<TestSite> anchors = Anchors.of("g" + group, TestSite.sites(10, 2), max);
        assertThat(anchors).hasSize(Math.min(max, 10)).doesNotHaveDuplicates();
        assertThat(anchors.get(0).rack()).isNotEqualTo(anchors.get(1).rack());
      }
    }
  }

  @Test
  void keepTheirOrderWhenTheLimitGrows() {
    for (int group = 0; group < 200; group++) {
      List<TestSite> all = Anchors.of("g" + group, TestSite.sites(12, 3), 12);
      for (int max = 0; max < 12; max++) {
        assertThat(Anchors.of("g" + group, TestSite.sites(12, 3), max))
            .isEqualTo(all.subList(0, max));
      }
    }
  }

  @Test
  void workWithOneRackAndWithoutSites() {
    assertThat(Anchors.of("g", TestSite.sites(4, 1), 9)).hasSize(4);
    assertThat(Anchors.of("g", List.<TestSite>of(), 3)).isEmpty();
  }

  @Test
  void areSpreadOverTheSites() {
    Map<TestSite, Integer> groups = new HashMap<>();
    for (int group = 0; group < 10_000; group++) {
      groups.merge(Anchors.of("task-" + group, TestSite.sites(10, 2), 1).get(0), 1, Integer::sum);
    }
    assertThat(groups).hasSize(10);
    assertThat(groups.values()).allSatisfy(count -> assertThat(count).isBetween(800, 1200));
  }

  @Test
  void onlyAnchorsOnALostNodeMove() {
    List<TestSite> sites = TestSite.sites(10, 1);
    TestSite lost = sites.get(3);
    List<TestSite> rest = new ArrayList<>(sites);
    rest.remove(lost);
    for (int group = 0; group < 500; group++) {
      List<TestSite> before = new ArrayList<>(Anchors.of("g" + group, sites, 10));
      before.remove(lost);
      assertThat(Anchors.of("g" + group, rest, 10)).isEqualTo(before);
    }
  }

  @Test
  void sitesOnOneHostAreDistinguished() {
    List<TestSite> sites = new ArrayList<>();
    for (int port = 1; port <= 4; port++) {
      sites.add(new TestSite("n1", port, "/r"));
    }
    List<Integer> first = new ArrayList<>();
    for (int group = 0; group < 100; group++) {
      first.add(Anchors.of("g" + group, sites, 1).get(0).port());
    }
    assertThat(first).contains(1, 2, 3, 4);
  }

  @Test
  void aSpreadOfOneEqualsNoSpread() {
    List<TestSite> sites = TestSite.sites(8, 2);
    assertThat(Anchors.ofFile("g", 1, "/a", sites, 5)).isEqualTo(Anchors.of("g", sites, 5));
    assertThat(Anchors.ofFile("g", 4, "/a", List.<TestSite>of(), 5)).isEmpty();
  }

  @Test
  void anUnfinishedFileHasTheAnchorsOfItsTarget() {
    List<TestSite> sites = TestSite.sites(20, 4);
    for (int file = 0; file < 200; file++) {
      String path = "/out/part-" + file;
      List<TestSite> expected = Anchors.ofFile("g", 5, path, sites, 6);
      assertThat(expected).hasSize(6).doesNotHaveDuplicates();
      List<TestSite> shuffled = new ArrayList<>(sites);
      Collections.shuffle(shuffled, new Random(file));
      assertThat(Anchors.ofFile("g", 5, path, shuffled, 6)).isEqualTo(expected);
      assertThat(Anchors.ofFile("g", 5, path + "._COPYING_", sites, 6)).isEqualTo(expected);
      assertThat(Anchors.ofFile("g", 5, path + ".weir-3", sites, 6)).isEqualTo(expected);
    }
  }

  /** Fixed values, so that no version moves the files of existing groups. */
  @Test
  void spreadGroupsDoNotChangeBetweenVersions() {
    List<String> firsts = new ArrayList<>();
    for (int file = 0; file < 8; file++) {
      firsts.add(Anchors.ofFile("g", 3, "/f" + file, TestSite.sites(8, 2), 1).get(0).host());
    }
    assertThat(firsts).containsExactly("n2", "n6", "n3", "n2", "n3", "n6", "n3", "n2");
  }

  @Test
  void aSpreadGroupHasThatManySetsWithDifferentFirstAnchors() {
    for (int spread : List.of(2, 3, 7, 16)) {
      Map<TestSite, Set<List<TestSite>>> sets = new HashMap<>();
      for (int file = 0; file < 2000; file++) {
        List<TestSite> anchors = Anchors.ofFile("g", spread, "/f" + file, SPREAD_SITES, 3);
        assertThat(anchors.get(0).rack()).isNotEqualTo(anchors.get(1).rack());
        sets.computeIfAbsent(anchors.get(0), first -> new HashSet<>()).add(anchors);
      }
      assertThat(sets).as("spread %d", spread).hasSize(spread);
      assertThat(sets.values()).allSatisfy(set -> assertThat(set).hasSize(1));
    }
  }

  @Test
  void filesAreDistributedEvenlyOverTheSets() {
    for (int spread : List.of(2, 5, 16)) {
      int[] files = new int[spread];
      for (int file = 0; file < 16_000; file++) {
        files[Anchors.set(String.format("/run/out/part-%05d", file), spread)]++;
      }
      for (int count : files) {
        assertThat(count)
            .as("spread %d", spread)
            .isBetween(16_000 * 9 / 10 / spread, 16_000 * 11 / 10 / spread);
      }
    }
  }

  @Test
  void moreSetsThanNodesShareTheNodes() {
    List<TestSite> sites = TestSite.sites(4, 2);
    Set<TestSite> firsts = new HashSet<>();
    for (int file = 0; file < 200; file++) {
      List<TestSite> anchors = Anchors.ofFile("g", 100, "/f" + file, sites, 4);
      assertThat(anchors).containsExactlyInAnyOrderElementsOf(sites);
      firsts.add(anchors.get(0));
    }
    assertThat(firsts).containsExactlyInAnyOrderElementsOf(sites);
  }

  @Test
  void aLostNodeMovesFewSets() {
    int moved = 0;
    int kept = 0;
    for (TestSite lost : SPREAD_SITES) {
      List<TestSite> rest = new ArrayList<>(SPREAD_SITES);
      rest.remove(lost);
      for (int file = 0; file < 200; file++) {
        TestSite before = Anchors.ofFile("g", 8, "/f" + file, SPREAD_SITES, 1).get(0);
        TestSite after = Anchors.ofFile("g", 8, "/f" + file, rest, 1).get(0);
        if (!before.equals(lost)) {
          moved += before.equals(after) ? 0 : 1;
          kept += before.equals(after) ? 1 : 0;
        }
      }
    }
    assertThat(moved).isLessThan(kept / 10);
  }
}
