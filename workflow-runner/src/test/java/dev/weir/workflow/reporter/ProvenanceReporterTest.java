package dev.weir.workflow.reporter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.reporter.FakeRunRecordSink.Mood;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenanceReporterTest {
  private static final String RUN = "application_1_0001";
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final int TASKS = 1_234;

  /** How long a run that ends waits where the service answers. */
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final FakeRunRecordSink desk = new FakeRunRecordSink();
  private final List<TaskRecord> ended = new CopyOnWriteArrayList<>();
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private FileSystem fs;
  private RunRecordSpool spool;
  private ProvenanceReporter courier;

  @BeforeEach
  void make() throws Exception {
    fs = new RawLocalFileSystem();
    fs.initialize(directory.toUri(), new Configuration(false));
    spool =
        new RunRecordSpool(
            fs, new org.apache.hadoop.fs.Path(directory.toString(), "spool"), Clock.systemUTC());
    courier = courier(LONG);
  }

  private ProvenanceReporter courier(Duration patience) {
    return new ProvenanceReporter(
        new ProvenanceReporter.Subject(
            RUN,
            RunOutline.of(plan()),
            START,
            (from, most) -> List.copyOf(ended.subList(from, Math.min(ended.size(), from + most)))),
        desk,
        spool,
        notes::add,
        new ProvenanceReporter.Timing(Duration.ofMillis(20), patience));
  }

  @AfterEach
  void close() {
    courier.close();
  }

  @Test
  void allIsToldWhileTheRunGoesOnAndAtItsEnd() throws Exception {
    courier.start();
    await().until(() -> desk.tasks.size() == TASKS);
    IntStream.range(0, TASKS).forEach(i -> ended.add(attempt(i, 1)));
    await().until(() -> desk.attempts.size() == TASKS);
    ended.add(attempt(0, 2));
    courier.finish(record(), null);

    assertThat(desk.attempts).hasSize(TASKS + 1);
    assertThat(desk.workers).containsOnlyKeys("w");
    assertThat(head(RUN).state()).isEqualTo(RunPhase.SUCCEEDED);
    assertThat(head(RUN).ended()).isEqualTo(START.plusSeconds(60));
    assertThat(requireNonNull(desk.tasks.get("t7")).outputs()).containsExactly("o7");
    assertThat(requireNonNull(desk.attempts.get("t7/1")).files())
        .containsExactly(
            new FileUse("in", false, 3L, "0000000c"), new FileUse("o7", true, 30L, null));
    assertThat(desk.calls.get(0)).isEqualTo("put RUNNING");
    assertThat(desk.calls).last().isEqualTo("put SUCCEEDED");
    assertThat(spooled()).isEmpty();
  }

  @Test
  void whatAServiceThatIsAwayHasNotTakenIsSpooledAndDeliveredLater() throws Exception {
    courier.start();
    await().until(() -> desk.tasks.size() == TASKS);
    desk.mood = Mood.AWAY;
    int calls = desk.calls.size();
    ended.add(attempt(3, 1));
    await().until(() -> desk.calls.size() > calls);
    ended.add(attempt(4, 1));
    courier.finish(record(), null);

    assertThat(desk.attempts).isEmpty();
    assertThat(spooled()).containsExactly(RUN + ".jsonl");
    desk.mood = Mood.HERE;
    assertThat(spool.deliver(desk, () -> true).runs()).isEqualTo(1);
    assertThat(desk.attempts).containsOnlyKeys("t3/1", "t4/1");
    assertThat(head(RUN).state()).isEqualTo(RunPhase.SUCCEEDED);
    assertThat(desk.workers).hasSize(1);
    assertThat(spooled()).isEmpty();
  }

  @Test
  void aServiceThatWasNeverThereCostsTheRecordNothing() throws Exception {
    desk.mood = Mood.AWAY;
    courier.start();
    IntStream.range(0, TASKS).forEach(i -> ended.add(attempt(i, 1)));
    courier.finish(record(), "t1: broke");

    desk.mood = Mood.HERE;
    assertThat(spool.deliver(desk, () -> true).runs()).isEqualTo(1);
    assertThat(desk.tasks).hasSize(TASKS);
    assertThat(desk.attempts).hasSize(TASKS);
    assertThat(head(RUN).failure()).isEqualTo("t1: broke");
  }

  @Test
  void aServiceThatNeverAnswersHoldsTheEndOfARunForABoundedTime() throws Exception {
    desk.mood = Mood.SILENT;
    courier = courier(Duration.ofMillis(100));
    courier.start();
    ended.add(attempt(1, 1));
    Thread finishing = new Thread(() -> courier.finish(record(), null));
    finishing.start();
    finishing.join(LONG.toMillis());
    assertThat(finishing.isAlive()).as("the run waits").isFalse();
    assertThat(spooled()).containsExactly(RUN + ".jsonl");
  }

  @Test
  void aRefusalIsToldOnceAndTheRecordKept() throws Exception {
    desk.mood = Mood.REFUSING;
    courier.start();
    await().until(() -> !notes.isEmpty());
    courier.finish(record(), null);
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0)).contains("provenance").contains("not yours");
    RunRecordSpool.Delivered refused = spool.deliver(desk, () -> true);
    assertThat(refused.runs()).isZero();
    assertThat(refused.problems()).hasSize(1);
    assertThat(spooled()).containsExactly(RUN + ".jsonl.refused");
    assertThat(spool.deliver(desk, () -> true).problems()).as("put aside").isEmpty();
  }

  @Test
  void aSecondMasterTellsAllOfItOnceMore() throws Exception {
    ended.add(attempt(1, 1));
    courier.start();
    await().until(() -> desk.attempts.size() == 1);
    courier.close();
    courier = courier(LONG);
    ended.add(attempt(2, 1));
    courier.start();
    courier.finish(record(), null);
    assertThat(desk.attempts).containsOnlyKeys("t1/1", "t2/1");
    assertThat(desk.tasks).hasSize(TASKS);
  }

  @Test
  void theNextRunDeliversWhatAnEarlierOneHasLeft() throws Exception {
    spool.write(
        "application_1_0000",
        new RunPartSplitter(RunOutline.of(plan()))
            .head(RunPhase.SUCCEEDED, START, START.plusSeconds(1), null),
        List.of(new RunPartSplitter(RunOutline.of(plan())).tasks(0)).iterator());
    courier.start();
    await().until(() -> spooled().isEmpty());
    assertThat(desk.heads).containsOnlyKeys(RUN, "application_1_0000");
    assertThat(head("application_1_0000").state()).isEqualTo(RunPhase.SUCCEEDED);
  }

  private RunHead head(String run) {
    return requireNonNull(desk.heads.get(run));
  }

  private List<String> spooled() throws Exception {
    Path spooled = directory.resolve("spool");
    if (!Files.isDirectory(spooled)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(spooled)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static TaskRecord attempt(int task, int number) {
    return TaskRecord.builder("t" + task, "type", number)
        .worker("w", "node1")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(START, START.plusSeconds(1))
        .phases(
            new TaskRecord.Phases(
                Duration.ZERO, Duration.ofMillis(5), Duration.ofSeconds(2), Duration.ZERO))
        .traffic(new TaskRecord.Traffic(1, 2, 30, 0))
        .files(
            List.of(new FileRecord("in", 3, 12)),
            List.of(new FileRecord("o" + task, 30, Checksum.UNKNOWN)))
        .build();
  }

  private RunRecord record() {
    return new RunRecord(
        RUN,
        "flow",
        "weir",
        RunState.SUCCEEDED,
        START,
        START.plusSeconds(60),
        List.of(new WorkerRecord("w", "node1", "/r", START, START.plusSeconds(60))),
        List.copyOf(ended));
  }

  private static RunPlan plan() {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("in", new DataFile("in", 5));
    for (int i = 0; i < TASKS; i++) {
      files.put("o" + i, new DataFile("o" + i, 0));
      tasks.add(new Task("t" + i, "type", List.of("run"), List.of("in"), List.of("o" + i), 0));
    }
    return new RunPlan(
        new Workflow("flow", tasks, files),
        Mode.WEIR,
        "hdfs://nn:8020",
        "/data",
        false,
        WorkerPlan.DEFAULT.withCount(1),
        Map.of(),
        Map.of(),
        "alice",
        RunOptions.DEFAULT,
        Map.of());
  }
}
