package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.AssignmentMatcher.Award;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares the auction with the best matching and with a greedy assignment. */
class AssignmentMatcherTest {

  private final Map<String, List<LocalTask>> places = new HashMap<>();
  private final List<TaskState> tasks = new ArrayList<>();
  private final List<WorkerState> workers = new ArrayList<>();

  private void workers(int count, WorkerSize size) {
    for (int i = 0; i < count; i++) {
      workers.add(new WorkerState(new WorkerInfo("w" + i, "n" + i, "/r"), size));
    }
  }

  private TaskState task(double rank, Map<String, Long> bytes) {
    return task(rank, new ResourceNeeds(1, 0), bytes);
  }

  private TaskState task(double rank, ResourceNeeds needs, Map<String, Long> bytes) {
    int number = tasks.size();
    TaskState task = Graphs.state(Graphs.idle("t" + number, needs), List.of(), List.of(), rank);
    task.numberOnce(() -> number);
    List<LocalTask> own = new ArrayList<>();
    bytes.forEach((host, held) -> own.add(new LocalTask(host, held, task)));
    task.indexUnder(own);
    own.forEach(
        place -> places.computeIfAbsent(place.host(), host -> new ArrayList<>()).add(place));
    tasks.add(task);
    return task;
  }

  private List<Award> hold() {
    Comparator<LocalTask> order =
        Comparator.comparingLong((LocalTask place) -> -place.bytes())
            .thenComparingDouble(place -> -place.task().rank())
            .thenComparingLong(place -> place.task().readyNumber());
    places.values().forEach(there -> there.sort(order));
    List<Award> awards =
        AssignmentMatcher.match(
            workers,
            node -> places.getOrDefault(node, List.of()),
            tasks.size(),
            (task, worker, cores, memory) -> worker.canStartBeside(task.needs(), cores, memory));
    assertThat(awards).extracting(Award::task).doesNotHaveDuplicates();
    for (Award award : awards) {
      assertThat(award.localBytes()).isEqualTo(award.task().bytesOn(award.worker().info().node()));
    }
    return awards;
  }

  private static long bytes(List<Award> awards) {
    return awards.stream().mapToLong(Award::localBytes).sum();
  }

  /** The local bytes of a greedy assignment. */
  private long greedy() {
    List<LocalTask> all = new ArrayList<>();
    tasks.forEach(task -> all.addAll(task.hostEntries()));
    all.sort(Comparator.comparingLong((LocalTask place) -> -place.bytes()));
    Set<Object> gone = new HashSet<>();
    long sum = 0;
    for (LocalTask place : all) {
      if (!gone.contains(place.host()) && gone.add(place.task())) {
        gone.add(place.host());
        sum += place.bytes();
      }
    }
    return sum;
  }

  /** The most local bytes of the tasks from a number on, on nodes that are free. */
  private long best(int number, Set<String> taken) {
    if (number == tasks.size()) {
      return 0;
    }
    long most = best(number + 1, taken);
    for (LocalTask place : tasks.get(number).hostEntries()) {
      if (taken.add(place.host())) {
        most = Math.max(most, place.bytes() + best(number + 1, taken));
        taken.remove(place.host());
      }
    }
    return most;
  }

  private void clear() {
    places.clear();
    tasks.clear();
    workers.clear();
  }

  private void random(Random random, int most, int replicas, long bytes) {
    clear();
    int nodes = 2 + random.nextInt(most - 1);
    workers(nodes, WorkerSize.ONE_TASK);
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      Map<String, Long> held = new HashMap<>();
      for (int k = 1 + random.nextInt(replicas); k > 0; k--) {
        held.put("n" + random.nextInt(nodes), 1 + (long) (random.nextDouble() * bytes));
      }
      task(random.nextInt(3), held);
    }
  }

  @Test
  void localBytesAreMaximalUpToOneStep() {
    int greedyLess = 0;
    for (int seed = 0; seed < 3_000; seed++) {
      random(new Random(seed), 7, 4, seed % 3 == 0 ? 3 : 1_000_000_000);
      long best = best(0, new HashSet<>());
      long found = bytes(hold());

      assertThat((double) found)
          .as("seed %d, best %d", seed, best)
          .isGreaterThanOrEqualTo(
              best * (double) AssignmentMatcher.STEPS / (AssignmentMatcher.STEPS + 1));
      greedyLess += greedy() < best ? 1 : 0;
    }
    assertThat(greedyLess).as("cases in which it matters").isGreaterThan(500);
  }

  @Test
  void tasksOfOneSizeAreMatchedOptimally() {
    int greedyLess = 0;
    for (int seed = 0; seed < 300; seed++) {
      random(new Random(seed), AssignmentMatcher.STEPS, 3, 0);
      int most = mostPairs();

      assertThat(hold()).as("seed %d", seed).hasSize(most);
      greedyLess += greedy() < most ? 1 : 0;
    }
    assertThat(greedyLess).as("cases in which it matters").isGreaterThan(100);
  }

  /** The largest matching, by augmenting paths. */
  private int mostPairs() {
    Map<String, TaskState> owners = new HashMap<>();
    int pairs = 0;
    for (TaskState task : tasks) {
      pairs += augment(task, owners, new HashSet<>()) ? 1 : 0;
    }
    return pairs;
  }

  private static boolean augment(
      TaskState task, Map<String, TaskState> owners, Set<String> visited) {
    for (LocalTask place : task.hostEntries()) {
      if (visited.add(place.host())) {
        TaskState owner = owners.get(place.host());
        if (owner == null || augment(owner, owners, visited)) {
          owners.put(place.host(), task);
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void tasksAreMatchedNearlyOptimallyOnManyNodes() {
    for (int seed = 0; seed < 3; seed++) {
      clear();
      Random random = new Random(seed);
      workers(1_000, WorkerSize.ONE_TASK);
      for (int i = 0; i < 1_000; i++) {
        Map<String, Long> held = new HashMap<>();
        for (int k = 0; k < 3; k++) {
          held.put("n" + random.nextInt(1_000), 1_000L);
        }
        task(1, held);
      }

      assertThat(hold().size()).isGreaterThanOrEqualTo(mostPairs() * 98 / 100);
    }
  }

  @Test
  void workersTakeAsManyTasksAsTheyHaveRoomFor() {
    workers(2, new WorkerSize(3, 100, 0));
    for (int i = 0; i < 3; i++) {
      task(1, Map.of("n0", 10L, "n1", 10L));
    }
    for (int i = 0; i < 3; i++) {
      task(1, Map.of("n0", 10L));
    }
    task(1, new ResourceNeeds(1, 200), Map.of("n1", 20L));

    List<Award> awards = hold();

    assertThat(awards)
        .extracting(Award::task)
        .containsExactlyInAnyOrderElementsOf(tasks.subList(0, 6));
    assertThat(awards)
        .filteredOn(award -> award.worker() == workers.get(0))
        .extracting(Award::task)
        .containsExactlyInAnyOrderElementsOf(tasks.subList(3, 6));
  }

  @Test
  void tiesGoToTheHigherRank() {
    workers(2, WorkerSize.ONE_TASK);
    for (int rank = 0; rank < 10; rank++) {
      task(rank, Map.of("n0", 10L, "n1", 10L));
    }

    assertThat(hold())
        .extracting(Award::task)
        .containsExactlyInAnyOrderElementsOf(tasks.subList(8, 10));
  }

  @Test
  void aTaskOnManyNodesIsLeftToTheNodeWithoutAnother() {
    workers(3, WorkerSize.ONE_TASK);
    TaskState everywhere = task(9, Map.of("n0", 10L, "n1", 10L, "n2", 10L));
    TaskState onFirst = task(1, Map.of("n0", 10L, "n1", 10L));
    TaskState onFirstAlone = task(1, Map.of("n0", 10L));

    assertThat(hold())
        .extracting(Award::task, award -> award.worker().info().node())
        .containsExactlyInAnyOrder(
            tuple(everywhere, "n2"), tuple(onFirst, "n1"), tuple(onFirstAlone, "n0"));
  }
}
