package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Staging of inputs: once per node, in bulk, and read-only. */
@Tag("nightly")
class StagingIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** Large enough for links instead of copies in sandboxes. */
  private static final int BYTES = 2_000_000;

  private static final int NODES = 4;

  /** Two workers on each node. */
  private static final int WORKERS = 2 * NODES;

  /** Workers so small that a node has room for two. */
  private static final WorkerPlan SMALL = new WorkerPlan(WORKERS, 1, 512, 0);

  /** One worker, whose node has room for one of the files. */
  private static final WorkerPlan ONE_FILE =
      WorkerPlan.DEFAULT.withCount(1).with(new WorkerPlan.Intake(3));

  StagingIT() {
    super("staging");
  }

  @Test
  void aSharedInputIsFetchedOncePerNodeAndDeletedAfterTheRun() throws Exception {
    runs.put("shared", Map.of("all.dat", new byte[BYTES]));

    try (LiveRun run = runs.start(readers(), Mode.LOCALITY, "shared", SMALL)) {
      marks.awaitBegun("read", WORKERS);
      assertThat(caches(run.id())).as("caches, one per node").hasSizeBetween(1, NODES);
      marks.open("end");
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(record.tasks()).allMatch(task -> all(task) == BYTES);
      Map<String, List<TaskRecord>> byNode =
          record.tasks().stream().collect(Collectors.groupingBy(TaskRecord::node));
      for (List<TaskRecord> tasks : byNode.values()) {
        assertThat(tasks.stream().mapToLong(StagingIT::read).sum()).isEqualTo(BYTES);
        TaskRecord fetcher = tasks.stream().filter(task -> read(task) > 0).findAny().orElseThrow();
        assertThat(tasks)
            .filteredOn(task -> !task.worker().equals(fetcher.worker()))
            .allMatch(task -> task.traffic().inputCached() == BYTES);
      }
      assertThat(byNode.values())
          .as("a node with several workers")
          .anyMatch(tasks -> tasks.stream().map(TaskRecord::worker).distinct().count() > 1);
      await().atMost(DEADLINE).untilAsserted(() -> assertThat(caches(run.id())).isEmpty());
    }
  }

  @Test
  void filesFetchedByAKilledWorkerServeOthers() throws Exception {
    runs.put("killed", Map.of("all.dat", new byte[BYTES]));

    try (LiveRun run = runs.start(readers(), Mode.LOCALITY, "killed", SMALL)) {
      marks.awaitBegun("read", WORKERS);
      Marks.Begun victim = marks.begun("read").get(0);
      assertThat(Processes.ancestor(victim.pid(), Processes.WORKER).destroyForcibly()).isTrue();
      marks.awaitBegun("read", WORKERS + 1);
      marks.open("end");
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(record.tasks()).filteredOn(task -> task.outcome() == Outcome.LOST).isNotEmpty();
      Map<String, Long> readByNode = new HashMap<>();
      record.tasks().forEach(task -> readByNode.merge(task.node(), read(task), Long::sum));
      // A lost attempt reports no traffic, so the node of the killed worker may have read it
      // unreported.
      assertThat(readByNode.values()).as("%s", readByNode).allMatch(bytes -> bytes <= BYTES);
      for (int i = 0; i < WORKERS; i++) {
        assertThat(runs.text("killed", "out" + i)).hasSize(BYTES);
      }
    }
  }

  /** Tasks that all run at the same time. */
  private Workflow readers() {
    ShellWorkflow workflow = new ShellWorkflow("readers");
    for (int i = 0; i < WORKERS; i++) {
      workflow.task(
          "read" + i,
          marks.recordBegin() + marks.waitFor("end") + "cp all.dat out" + i,
          List.of("all.dat"),
          List.of("out" + i));
    }
    return workflow.build();
  }

  /** The input bytes read from HDFS. */
  private static long read(TaskRecord task) {
    return task.traffic().inputLocal() + task.traffic().inputRemote();
  }

  private static long all(TaskRecord task) {
    return read(task) + task.traffic().inputCached();
  }

  @Test
  void aSmallCacheKeepsTheLastReadUnchangedContent() throws Exception {
    runs.put("bounded", Map.of("a", new byte[BYTES], "b", new byte[BYTES]));
    ShellWorkflow workflow = new ShellWorkflow("bounded");
    List<String> reads = List.of("a", "a", "b", "b", "a", "a");
    for (int i = 0; i < reads.size(); i++) {
      String hold = i == reads.size() - 2 ? marks.recordBegin() + marks.waitFor("end") : "";
      List<String> inputs = i == 0 ? List.of("a") : List.of(reads.get(i), "t" + (i - 1));
      workflow.task(
          "read" + i, hold + "cksum < " + reads.get(i) + " > t" + i, inputs, List.of("t" + i));
    }
    byte[] other = new byte[BYTES];
    other[BYTES - 1] = 1;

    try (LiveRun run = runs.start(workflow.build(), Mode.LOCALITY, "bounded", ONE_FILE)) {
      marks.awaitBegun("read", 1);
      assertThat(caches(run.id())).hasSize(1).allMatch(cache -> size(cache) <= 3 << 20);
      runs.put("bounded", Map.of("a", other));
      marks.open("end");
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(
              record.tasks().stream()
                  .sorted(Comparator.comparing(TaskRecord::task))
                  .map(task -> task.traffic().inputCached() == BYTES))
          .containsExactly(false, true, false, true, false, false);
      assertThat(runs.text("bounded", "t5")).isNotEqualTo(runs.text("bounded", "t4"));
      assertThat(runs.text("bounded", "t1")).isEqualTo(runs.text("bounded", "t4"));
    }
  }

  private static long size(Path directory) {
    try (Stream<Path> files = Files.list(directory.resolve("contents"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> caches(String application) throws IOException {
    try (Stream<Path> files =
        Files.find(
            cluster.dir(), 12, (file, is) -> is.isDirectory() && file.endsWith("weir-cache"))) {
      return files.filter(file -> file.toString().contains(application)).toList();
    } catch (UncheckedIOException e) {
      // Files are created and deleted during the walk.
      return caches(application);
    }
  }

  @Test
  void aTaskThatModifiesASharedInputFails() throws Exception {
    Workflow workflow =
        new ShellWorkflow("altered")
            .task("before", "cp all.dat before.dat", List.of("all.dat"), List.of("before.dat"))
            .task(
                "alter",
                "chmod u+w all.dat; echo x > all.dat; touch made.dat",
                List.of("all.dat", "before.dat"),
                List.of("made.dat"))
            .build();
    runs.put("altered", Map.of("all.dat", new byte[BYTES]));

    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "altered", 1)) {
      RunRecord record = run.end();

      assertThat(record.state()).isEqualTo(RunState.FAILED);
      assertThat(run.failure())
          .contains("alter")
          .contains("input 'all.dat' altered while the command ran");
      List<TaskRecord> failed =
          record.tasks().stream().filter(task -> task.outcome() == Outcome.FAILED).toList();
      assertThat(failed).hasSize(3).allMatch(task -> task.task().equals("alter"));
      // The second attempt did not get the altered file from the cache.
      assertThat(failed.get(1).traffic().inputCached()).isZero();
    }
  }

  @Test
  void aThousandSmallFilesArriveComplete() throws Exception {
    int count = 1000;
    List<String> names = IntStream.range(0, count).mapToObj(i -> "in/" + i).toList();
    Map<String, byte[]> inputs = new HashMap<>();
    names.forEach(name -> inputs.put(name, (name + "\n").getBytes(StandardCharsets.UTF_8)));
    runs.put("many", inputs);
    Workflow workflow =
        new ShellWorkflow("many")
            .task("all", "cat in/* | sort > list.txt", names, List.of("list.txt"))
            .build();

    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "many", 1)) {
      RunRecord record = run.end();

      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(runs.text("many", "list.txt").lines().sorted().toList())
          .isEqualTo(names.stream().sorted().toList());
    }
  }
}
