package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.MemoryExceeded;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunRecorderTest {

  private static final WorkerInfo OLD = new WorkerInfo("w0", "n0", "/r0");
  private static final WorkerInfo NEW = new WorkerInfo("w1", "n1", "/r1");

  private static AttemptEnded ended(WorkerInfo worker, long at, Result result) {
    return new AttemptEnded(
        worker,
        at - 30,
        at - 20,
        at,
        new TaskReport(
            "t", 1, result, 0, "", "", List.of(), List.of(), new Usage(1, 2, 3, 4, 5, 6, 7, 8)),
        false,
        false,
        null);
  }

  private static Task task(String id) {
    return new Task(id, "type of " + id, List.of(), List.of(), List.of(), 0);
  }

  private static RunRecord build(RunRecorder recorder, long end) {
    return recorder.build(new RunRecorder.Name("run", "workflow", "weir"), RunState.SUCCEEDED, end);
  }

  @Test
  void recordHasTheWorkersAndAttemptsOfAllMasters() {
    RunRecorder recorder = new RunRecorder(500, RunRecorderTest::task);
    recorder.replay(ended(OLD, 130, Result.SUCCEEDED));
    recorder.replay(ended(OLD, 230, Result.WORKER_LOST));
    recorder.workerJoined(NEW, 600);
    recorder.record(ended(NEW, 700, Result.INPUT_LOST));

    RunRecord run = build(recorder, 900);

    assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run.started()).isEqualTo(Instant.ofEpochMilli(100));
    assertThat(run.ended()).isEqualTo(Instant.ofEpochMilli(900));
    assertThat(run.workers())
        .containsExactly(
            new WorkerRecord(
                "w0", "n0", "/r0", Instant.ofEpochMilli(110), Instant.ofEpochMilli(230)),
            new WorkerRecord(
                "w1", "n1", "/r1", Instant.ofEpochMilli(600), Instant.ofEpochMilli(900)));
    assertThat(run.tasks())
        .extracting(TaskRecord::outcome)
        .containsExactly(Outcome.SUCCEEDED, Outcome.LOST, Outcome.LOST);
    assertThat(run.tasks().get(0).type()).isEqualTo("type of t");
    assertThat(run.tasks().get(0).traffic()).isEqualTo(new TaskRecord.Traffic(5, 6, 7, 8));
  }

  @Test
  void memoryKillExplainsTheLossOfItsWorker() {
    RunRecorder recorder = new RunRecorder(500, RunRecorderTest::task);
    recorder.record(ended(OLD, 630, Result.WORKER_LOST));
    recorder.record(ended(NEW, 730, Result.SUCCEEDED));

    recorder.record(
        ScopedRecords.unscoped(new MemoryExceeded(OLD, "run:t", true, "1.1 of 1 GB used", 740)));
    recorder.record(new MemoryExceeded(NEW, "other", true, "2 GB used", 750));

    assertThat(build(recorder, 900).tasks())
        .extracting(TaskRecord::message)
        .containsExactly("1.1 of 1 GB used", "");
  }

  @Test
  void returningWorkerWasPresentAllTheTime() {
    RunRecorder recorder = new RunRecorder(500, RunRecorderTest::task);
    recorder.replay(ended(OLD, 230, Result.SUCCEEDED));
    recorder.workerJoined(OLD, 600);
    recorder.record(ended(OLD, 700, Result.SUCCEEDED));

    assertThat(build(recorder, 900).workers())
        .containsExactly(
            new WorkerRecord(
                "w0", "n0", "/r0", Instant.ofEpochMilli(210), Instant.ofEpochMilli(900)));
  }

  @Test
  void runStartsBeforeItsFirstAttempt() {
    RunRecorder recorder = new RunRecorder(500, RunRecorderTest::task);
    recorder.workerJoined(OLD, 600);

    recorder.record(ended(OLD, 400, Result.SUCCEEDED));

    assertThat(build(recorder, 900).started()).isEqualTo(Instant.ofEpochMilli(370));
  }

  @Test
  void taskAheadStartsWithItsFirstPhase() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    recorder.record(
        new AttemptEnded(
            NEW,
            100,
            200,
            5_000,
            new TaskReport(
                "t",
                1,
                Result.SUCCEEDED,
                0,
                "",
                "",
                List.of(),
                List.of(),
                new Usage(10, 20, 1_000, 70, 0, 0, 0, 0)),
            false,
            false,
            null));

    TaskRecord attempt = build(recorder, 6_000).tasks().get(0);
    assertThat(attempt.ready()).isEqualTo(Instant.ofEpochMilli(100));
    assertThat(attempt.dispatched()).isEqualTo(Instant.ofEpochMilli(3_900));
    assertThat(attempt.ended()).isEqualTo(Instant.ofEpochMilli(5_000));
  }

  @Test
  void filesOfAnAttemptAreRecorded() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    TaskReport report =
        new TaskReport("t", 1, Result.SUCCEEDED, 0, "", "", List.of(), List.of(), Usage.NONE)
            .withFiles(
                List.of(),
                List.of(new StoredFile("o", 9, Map.of("n1", 9L), 0xe3069283L)),
                List.of(
                    new ReadFile("i", 4, 0xf63af4eeL),
                    new ReadFile("j", 5, Checksum.UNKNOWN, Map.of("n2", 3L), Map.of("n3", 2L))));
    recorder.record(new AttemptEnded(NEW, 100, 200, 300, report, false, false, null));

    assertThat(build(recorder, 400).tasks().get(0).files())
        .isEqualTo(
            new TaskRecord.Files(
                List.of(
                    new FileRecord("i", 4, 0xf63af4eeL),
                    new FileRecord(
                        "j", 5, Checksum.UNKNOWN, Map.of("n2", 3L), Map.of("n3", 2L), false)),
                List.of(new FileRecord("o", 9, 0xe3069283L, Map.of("n1", 9L), Map.of(), false))));
  }

  @Test
  void placementOfAnAttemptIsRecorded() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    PlacementReason placement =
        new PlacementReason(
            PlacementReason.Decision.WAITED,
            10,
            5,
            List.of(new PlacementReason.Candidate("n1", 7, 0)));
    AttemptEnded ended = ended(NEW, 300, Result.SUCCEEDED);
    recorder.record(
        new AttemptEnded(
            NEW,
            ended.readyMillis(),
            ended.dispatchedMillis(),
            ended.endedMillis(),
            ended.report(),
            false,
            false,
            placement));
    recorder.record(ended);

    assertThat(build(recorder, 400).tasks())
        .extracting(TaskRecord::placement)
        .containsExactly(placement, PlacementReason.UNKNOWN);
  }

  private static AttemptEnded failed(Result result, String message, String stderr) {
    TaskReport report =
        new TaskReport("t", 1, result, 1, message, stderr, List.of(), List.of(), Usage.NONE);
    return new AttemptEnded(NEW, 100, 200, 300, report, false, false, null);
  }

  @Test
  void messageOfAFailedAttemptIsRecorded() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    recorder.record(failed(Result.FAILED, "exit code 1", "\nno such file\nat line 3\n"));
    recorder.record(failed(Result.FAILED, "exit code 1", ""));
    recorder.record(failed(Result.WORKER_LOST, "its connection has ended", "noise"));
    recorder.record(failed(Result.SUCCEEDED, "", "noise"));
    recorder.record(failed(Result.STOPPED, "cancelled", ""));
    recorder.record(failed(Result.FAILED, "", "x".repeat(10_000)));

    assertThat(build(recorder, 400).tasks())
        .extracting(TaskRecord::message)
        .containsExactly(
            "no such file",
            "exit code 1",
            "its connection has ended",
            "",
            "",
            "x".repeat(297) + "...");
  }

  @Test
  void limitedNumberOfMessagesIsKeptEachOnce() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    for (int i = 0; i < RunRecorder.MOST_MESSAGES + 10; i++) {
      recorder.record(failed(Result.FAILED, "", "line " + i));
      recorder.record(failed(Result.FAILED, "", "line 0"));
    }

    List<String> lines = build(recorder, 400).tasks().stream().map(TaskRecord::message).toList();
    assertThat(lines.stream().filter(line -> line.equals("line 0"))).hasSizeGreaterThan(1_000);
    assertThat(lines.stream().distinct()).hasSize(RunRecorder.MOST_MESSAGES + 1).contains("");
    assertThat(lines.get(1)).as("equal messages are shared").isSameAs(lines.get(3));
  }

  @Test
  void workerEndsWhenItLeaves() {
    RunRecorder recorder = new RunRecorder(0, RunRecorderTest::task);
    recorder.workerJoined(NEW, 10);
    recorder.workerEnded("w1", 20);

    assertThat(build(recorder, 30).workers().get(0).ended()).isEqualTo(Instant.ofEpochMilli(20));
    assertThat(recorder.anyWorkerLost()).isFalse();
    recorder.record(ended(NEW, 20, Result.WORKER_LOST));
    assertThat(recorder.anyWorkerLost()).isTrue();
  }

  @Test
  void forgottenTasksLeaveNeitherAttemptsNorWorkers() {
    RunRecorder recorder = new RunRecorder(Long.MAX_VALUE, RunRecorderTest::task);
    recorder.workerJoined(OLD, 50);
    recorder.record(ended(OLD, 130, Result.SUCCEEDED));
    recorder.workerEnded("w0", 150);
    recorder.workerJoined(NEW, 160);

    recorder.forget(Set.of("u"));
    assertThat(build(recorder, 900).workers()).hasSize(2);
    assertThat(recorder.started()).isEqualTo(Instant.ofEpochMilli(100));

    recorder.forget(Set.of("t"));
    recorder.record(ended(NEW, 700, Result.SUCCEEDED));

    RunRecord run = build(recorder, 900);
    assertThat(run.tasks()).extracting(TaskRecord::worker).containsExactly("w1");
    assertThat(run.workers()).extracting(WorkerRecord::id).containsExactly("w1");
    assertThat(run.started()).isEqualTo(Instant.ofEpochMilli(670));
  }
}
