package dev.weir.workflow.delivery;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.delivery.FakeRunRecordSink.Behaviour;
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

  /** How long the end of a run waits for a service that answers. */
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final FakeRunRecordSink sink = new FakeRunRecordSink();
  private final List<TaskRecord> ended = new CopyOnWriteArrayList<>();
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private FileSystem fs;
  private RunRecordSpool spool;
  private ProvenanceReporter reporter;

  @BeforeEach
  void make() throws Exception {
    fs = new RawLocalFileSystem();
    fs.initialize(directory.toUri(), new Configuration(false));
    spool =
        new RunRecordSpool(
            fs, new org.apache.hadoop.fs.Path(directory.toString(), "spool"), Clock.systemUTC());
    reporter = reporter(LONG);
  }

  private ProvenanceReporter reporter(Duration finishTimeout) {
    return new ProvenanceReporter(
        new ProvenanceReporter.Subject(
            RUN,
            RunOutline.of(plan()),
            START,
            (from, most) -> List.copyOf(ended.subList(from, Math.min(ended.size(), from + most)))),
        sink,
        spool,
        notes::add,
        new ProvenanceReporter.Timing(Duration.ofMillis(20), finishTimeout));
  }

  @AfterEach
  void close() {
    reporter.close();
  }

  @Test
  void reportsDuringTheRunAndAtItsEnd() throws Exception {
    reporter.start();
    await().until(() -> sink.tasks.size() == TASKS);
    IntStream.range(0, TASKS).forEach(i -> ended.add(attempt(i, 1)));
    await().until(() -> sink.attempts.size() == TASKS);
    ended.add(attempt(0, 2));
    reporter.finish(record(), null);

    assertThat(sink.attempts).hasSize(TASKS + 1);
    assertThat(sink.workers).containsOnlyKeys("w");
    assertThat(head(RUN).state()).isEqualTo(RunPhase.SUCCEEDED);
    assertThat(head(RUN).ended()).isEqualTo(START.plusSeconds(60));
    assertThat(requireNonNull(sink.tasks.get("t7")).outputs()).containsExactly("o7");
    assertThat(requireNonNull(sink.attempts.get("t7/1")).files())
        .containsExactly(
            new FileUse("in", false, 3L, "0000000c", null),
            new FileUse("o7", true, 30L, null, null));
    assertThat(sink.calls.get(0)).isEqualTo("put RUNNING");
    assertThat(sink.calls).last().isEqualTo("put SUCCEEDED");
    assertThat(spooled()).isEmpty();
  }

  @Test
  void undeliveredReportsAreSpooledAndDeliveredLater() throws Exception {
    reporter.start();
    await().until(() -> sink.tasks.size() == TASKS);
    sink.behaviour = Behaviour.UNAVAILABLE;
    int calls = sink.calls.size();
    ended.add(attempt(3, 1));
    await().until(() -> sink.calls.size() > calls);
    ended.add(attempt(4, 1));
    reporter.finish(record(), null);

    assertThat(sink.attempts).isEmpty();
    assertThat(spooled()).containsExactly(RUN + ".jsonl");
    sink.behaviour = Behaviour.AVAILABLE;
    assertThat(spool.deliver(sink, () -> true).runs()).isEqualTo(1);
    assertThat(sink.attempts).containsOnlyKeys("t3/1", "t4/1");
    assertThat(head(RUN).state()).isEqualTo(RunPhase.SUCCEEDED);
    assertThat(sink.workers).hasSize(1);
    assertThat(spooled()).isEmpty();
  }

  @Test
  void serviceThatWasNeverAvailableLosesNothing() throws Exception {
    sink.behaviour = Behaviour.UNAVAILABLE;
    reporter.start();
    IntStream.range(0, TASKS).forEach(i -> ended.add(attempt(i, 1)));
    reporter.finish(record(), "t1: broke");

    sink.behaviour = Behaviour.AVAILABLE;
    assertThat(spool.deliver(sink, () -> true).runs()).isEqualTo(1);
    assertThat(sink.tasks).hasSize(TASKS);
    assertThat(sink.attempts).hasSize(TASKS);
    assertThat(head(RUN).failure()).isEqualTo("t1: broke");
  }

  @Test
  void silentServiceDelaysTheEndForABoundedTime() throws Exception {
    sink.behaviour = Behaviour.SILENT;
    reporter = reporter(Duration.ofMillis(100));
    reporter.start();
    ended.add(attempt(1, 1));
    Thread finishing = new Thread(() -> reporter.finish(record(), null));
    finishing.start();
    finishing.join(LONG.toMillis());
    assertThat(finishing.isAlive()).as("the run waits").isFalse();
    assertThat(spooled()).containsExactly(RUN + ".jsonl");
  }

  @Test
  void refusalIsNotedOnceAndTheRecordKept() throws Exception {
    sink.behaviour = Behaviour.REFUSING;
    reporter.start();
    await().until(() -> !notes.isEmpty());
    reporter.finish(record(), null);
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0)).contains("provenance").contains("not yours");
    RunRecordSpool.Delivered refused = spool.deliver(sink, () -> true);
    assertThat(refused.runs()).isZero();
    assertThat(refused.problems()).hasSize(1);
    assertThat(spooled()).containsExactly(RUN + ".jsonl.refused");
    assertThat(spool.deliver(sink, () -> true).problems()).as("put aside").isEmpty();
  }

  @Test
  void restartedMasterReportsEverythingAgain() throws Exception {
    ended.add(attempt(1, 1));
    reporter.start();
    await().until(() -> sink.attempts.size() == 1);
    reporter.close();
    reporter = reporter(LONG);
    ended.add(attempt(2, 1));
    reporter.start();
    reporter.finish(record(), null);
    assertThat(sink.attempts).containsOnlyKeys("t1/1", "t2/1");
    assertThat(sink.tasks).hasSize(TASKS);
  }

  @Test
  void nextRunDeliversSpooledRecords() throws Exception {
    spool.write(
        "application_1_0000",
        new RunPartSplitter(RunOutline.of(plan()))
            .head(RunPhase.SUCCEEDED, START, START.plusSeconds(1), null),
        List.of(new RunPartSplitter(RunOutline.of(plan())).tasks(0)).iterator());
    reporter.start();
    await().until(() -> spooled().isEmpty());
    assertThat(sink.heads).containsOnlyKeys(RUN, "application_1_0000");
    assertThat(head("application_1_0000").state()).isEqualTo(RunPhase.SUCCEEDED);
  }

  private RunHead head(String run) {
    return requireNonNull(sink.heads.get(run));
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
