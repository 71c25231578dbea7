package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnchorsTest {

  @Test
  void areTheSameWhateverTheOrderOfTheSites() {
    List<TestSite> sites = TestSite.sites(20, 4);
    List<TestSite> expected = Anchors.of("group", sites, 5);
    assertThat(expected).hasSize(5).doesNotHaveDuplicates();
    for (int seed = 0; seed < 20; seed++) {
      List<TestSite> shuffled = new ArrayList<>(sites);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(Anchors.of("group", shuffled, 5)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** Written down so that no later version moves the files of groups that exist. */
  @Test
  void areTheSameForEver() {
    assertThat(Anchors.of("task-1", TestSite.sites(8, 1), 8))
        .extracting(TestSite::host)
        .containsExactly("n0", "n6", "n1", "n3", "n4", "n5", "n7", "n2");
  }

  @Test
  void lieOnTwoRacksWhenThereAreTwo() {
    for (int group = 0; group < 200; group++) {
      for (int most = 2; most < 12; most++) {
        List<TestSite> anchors = Anchors.of("g" + group, TestSite.sites(10, 2), most);
        assertThat(anchors).hasSize(Math.min(most, 10)).doesNotHaveDuplicates();
        assertThat(anchors.get(0).rack()).isNotEqualTo(anchors.get(1).rack());
      }
    }
  }

  @Test
  void keepTheirOrderWhenTheLimitGrows() {
    for (int group = 0; group < 200; group++) {
      List<TestSite> all = Anchors.of("g" + group, TestSite.sites(12, 3), 12);
      for (int most = 0; most < 12; most++) {
        assertThat(Anchors.of("g" + group, TestSite.sites(12, 3), most))
            .isEqualTo(all.subList(0, most));
      }
    }
  }

  @Test
  void manageWithOneRackAndWithNoSite() {
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
  void moveOnlyWhereANodeIsLost() {
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
  void tellSitesOnOneHostApart() {
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
}
