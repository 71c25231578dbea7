package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.CopyAheadPlanner.Cluster;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Input;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Order;
import dev.weir.workflow.scheduler.CopyAheadPlanner.Upcoming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CopyAheadPlannerTest {

  private static final long MB = 1_000_000;
  private static final double RATE = 100 * MB;

  /** Bars no copy. */
  private static boolean isBarred(String node, String file) {
    return false;
  }

  private static Input on(String file, long megabytes, String... hosts) {
    return new Input(file, megabytes * MB, Set.of(hosts), Set.of(hosts));
  }

  private static Upcoming task(String id, double readySeconds, String comingOn, Input... inputs) {
    return new Upcoming(id, 1, readySeconds, List.of(inputs), Map.of(comingOn, 1L));
  }

  /** A slot on each node that is free after some seconds. */
  private static Cluster cluster(Map<String, Double> free) {
    return new Cluster(
        free.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue()))),
        Set.of(),
        Set.of(),
        CopyAheadPlannerTest::isBarred,
        RATE);
  }

  private static List<Order> plan(Cluster cluster, Upcoming... tasks) {
    return CopyAheadPlanner.plan(List.of(tasks), cluster);
  }

  @Test
  void aCopyPaysWhenItSavesMoreThanItMayWaste() {
    // 2 s of copying, 10 s until the task is ready.
    assertThat(CopyAheadPlanner.pays(200 * MB, 10, RATE)).isTrue();
    // 20 s of copying of which 10 are hidden.
    assertThat(CopyAheadPlanner.pays(2_000 * MB, 10, RATE)).isTrue();
    // 20 s of copying of which 1 is hidden.
    assertThat(CopyAheadPlanner.pays(2_000 * MB, 1, RATE)).isFalse();
    // 0.02 s are not worth an order.
    assertThat(CopyAheadPlanner.pays(2 * MB, 10, RATE)).isFalse();
    assertThat(CopyAheadPlanner.pays(200 * MB, 0, RATE)).isFalse();
    assertThat(CopyAheadPlanner.pays(1_000, 10, 100)).isFalse();
  }

  @Test
  void missingInputsAreCopiedToTheNodeWithMostBytes() {
    Upcoming join = task("join", 10, "n1", on("a", 300, "n2"), on("b", 500, "n3"));

    assertThat(plan(cluster(Map.of("n1", 10.0, "n2", 5.0, "n3", 8.0)), join))
        .as("a to where b is")
        .containsExactly(new Order("a", 300 * MB, "n2", "n3", "join"));
  }

  @Test
  void aNodeWithoutRoomInTimeIsSkipped() {
    Upcoming join = task("join", 10, "n1", on("a", 300, "n2"), on("b", 500, "n3"));

    assertThat(plan(cluster(Map.of("n1", 10.0, "n2", 99.0, "n3", 99.0)), join))
        .as("the largest first, to the node of the last one that is made")
        .containsExactly(new Order("b", 500 * MB, "n3", "n1", "join"));
    assertThat(plan(cluster(Map.of("n1", 99.0, "n2", 99.0)), join)).isEmpty();
  }

  @Test
  void aSlotIsForOneTask() {
    Upcoming first = new Upcoming("first", 9, 10, List.of(on("a", 300, "n2")), Map.of());
    Upcoming second = new Upcoming("second", 5, 10, List.of(on("c", 300, "n2")), Map.of());
    Cluster cluster = cluster(Map.of("n1", 5.0, "n2", 5.0));

    assertThat(plan(cluster, second, first))
        .as("the first runs where its input is, the second elsewhere")
        .containsExactly(new Order("c", 300 * MB, "n2", "n1", "second"));
  }

  @Test
  void aLinkCarriesOneTransferAtATime() {
    Upcoming join = task("join", 10, "n1", on("a", 300, "n2"), on("b", 200, "n3", "n4"));
    Map<String, List<Double>> places = Map.of("n1", List.of(10.0));

    assertThat(
            plan(
                new Cluster(
                    places, Set.of("n2", "n3"), Set.of(), CopyAheadPlannerTest::isBarred, RATE),
                join))
        .containsExactly(new Order("b", 200 * MB, "n4", "n1", "join"));
    assertThat(
            plan(
                new Cluster(places, Set.of(), Set.of("n1"), CopyAheadPlannerTest::isBarred, RATE),
                join))
        .isEmpty();
    assertThat(
            plan(
                new Cluster(places, Set.of(), Set.of(), (node, file) -> node.equals("n1"), RATE),
                join))
        .isEmpty();
  }

  @Test
  void presentFilesAreNotCopied() {
    Upcoming ready = task("t", 10, "n1", on("a", 300, "n1", "n2"));
    Input cachedHere = new Input("a", 300 * MB, Set.of("n1", "n2"), Set.of("n2"));

    assertThat(plan(cluster(Map.of("n1", 10.0)), ready)).isEmpty();
    assertThat(plan(cluster(Map.of("n1", 10.0)), task("t", 10, "n1", cachedHere))).isEmpty();
  }

  @Test
  void barredFilesLeaveTheLinkToOthers() {
    Upcoming join = task("join", 10, "n1", on("large", 500, "n2"), on("small", 300, "n3"));
    Map<String, List<Double>> places = Map.of("n1", List.of(10.0));
    Cluster cluster =
        new Cluster(places, Set.of(), Set.of(), (node, file) -> file.equals("large"), RATE);

    assertThat(plan(cluster, join))
        .containsExactly(new Order("small", 300 * MB, "n3", "n1", "join"));
  }

  /** This ends in a moment unless the planner looks at each input for each node. */
  @Test
  @Timeout(60)
  void inputsAreNotSearchedForEachNode() {
    List<Input> inputs = new ArrayList<>();
    Map<String, Double> free = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      inputs.add(on("f" + i, 2, "n" + i % 1_000));
    }
    for (int i = 0; i < 2_000; i++) {
      free.put("n" + i, 5.0);
    }
    List<Upcoming> tasks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      tasks.add(new Upcoming("t" + i, 1, 10_000, inputs, Map.of()));
    }

    assertThat(CopyAheadPlanner.plan(tasks, cluster(free))).isNotEmpty();
  }

  @Test
  void filesWithoutSourceAreNotCopied() {
    Input kept = new Input("a", 300 * MB, Set.of("n2"), Set.of());

    assertThat(plan(cluster(Map.of("n1", 10.0)), task("t", 10, "n1", kept))).isEmpty();
  }

  @Test
  void randomPlansUseLinksOnceAndCopyOnlyMissingFiles() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Upcoming> tasks = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        List<Input> inputs = new ArrayList<>();
        for (int k = 0; k < 1 + random.nextInt(4); k++) {
          inputs.add(
              on(
                  "f" + random.nextInt(10),
                  random.nextInt(2_000),
                  "n" + random.nextInt(3),
                  "n" + random.nextInt(2) + "x"));
        }
        tasks.add(
            new Upcoming(
                "t" + i, random.nextInt(3), random.nextInt(20), inputs, Map.of("n0", 5L * MB)));
      }
      Cluster cluster = cluster(Map.of("n0", 1.0, "n1", 5.0, "n2", 10.0));

      List<Order> orders = CopyAheadPlanner.plan(tasks, cluster);

      assertThat(orders).as("seed %d", seed).extracting(Order::from).doesNotHaveDuplicates();
      assertThat(orders).as("seed %d", seed).extracting(Order::to).doesNotHaveDuplicates();
      assertThat(orders).as("seed %d", seed).allMatch(order -> !order.from().equals(order.to()));
      assertThat(CopyAheadPlanner.plan(tasks, cluster)).as("the same again").isEqualTo(orders);
    }
  }
}
