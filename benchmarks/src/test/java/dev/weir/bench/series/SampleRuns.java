package dev.weir.bench.series;

import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Runs made up for tests. */
public final class SampleRuns {
  /** The start of the first task of each run. */
  public static final Instant BEGIN = Instant.parse("2026-11-22T03:00:10Z");

  private SampleRuns() {}

  /** Returns a run whose only counted task, of type {@code work}, took the given seconds. */
  public static RecordedRun of(PlannedRun planned, double seconds) {
    return of(planned, seconds, 1);
  }

  /** Returns the same, made in a session. */
  public static RecordedRun of(PlannedRun planned, double seconds, int session) {
    return new RecordedRun(
        planned,
        record(seconds, List.of(worker("n1", 1), worker("n2", 2))),
        new RunNotes(
            session,
            BEGIN.minusSeconds(20),
            new RunUsage(3_000_000, 7_000_000),
            new RunSteps(1, 2, seconds + 3, 4, 5, 6)));
  }

  /** Returns a run with several repetitions in sequence that took the given seconds. */
  public static RecordedRun inARow(PlannedRun planned, List<Double> seconds) {
    RecordedRun run = of(planned, 1);
    List<TaskRecord> tasks = new ArrayList<>();
    Instant begin = BEGIN;
    for (int i = 0; i < seconds.size(); i++) {
      Duration time = Duration.ofMillis((long) (seconds.get(i) * 1000));
      tasks.add(task("work@" + (i + 1), begin, time, new Traffic(100, 300, 10, 20)));
      begin = begin.plus(time).plusSeconds(3);
    }
    RunRecord record = run.record();
    return new RecordedRun(
        planned,
        new RunRecord(
            record.runId(),
            record.workflow(),
            record.mode(),
            record.state(),
            record.started(),
            begin,
            record.workers(),
            tasks),
        run.notes());
  }

  /**
   * Returns a run with given tasks.
   *
   * @param tasks every attempt
   */
  public static RecordedRun of(RecordedRun run, List<TaskRecord> tasks) {
    RunRecord record = run.record();
    return new RecordedRun(
        run.id(),
        new RunRecord(
            record.runId(),
            record.workflow(),
            record.mode(),
            record.state(),
            record.started(),
            record.ended(),
            record.workers(),
            tasks),
        run.notes());
  }

  /** Returns an attempt that began some seconds after the first one. */
  public static TaskRecord attempt(String type, int number, Outcome outcome, int after, int took) {
    Instant begin = BEGIN.plusSeconds(after);
    return TaskRecord.builder(type + "-1", type, number)
        .worker("w" + number, "n1")
        .outcome(outcome, 0)
        .times(begin, begin)
        .phases(new Phases(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(took), Duration.ZERO))
        .traffic(new Traffic(100, 300, 10, 20))
        .build();
  }

  /** Returns a record with these workers. */
  public static RunRecord record(double seconds, List<WorkerRecord> workers) {
    Duration time = Duration.ofMillis((long) (seconds * 1000));
    Duration second = Duration.ofSeconds(1);
    return new RunRecord(
        "application_1_0001",
        "w",
        "weir",
        RunState.SUCCEEDED,
        BEGIN.minusSeconds(2),
        BEGIN.plus(time).plusSeconds(1),
        workers,
        List.of(
            task(WorkerWarmUp.TYPE, BEGIN.minus(second), second, new Traffic(0, 400, 10, 20)),
            task("work", BEGIN, time, new Traffic(100, 300, 10, 20))));
  }

  private static TaskRecord task(String type, Instant begin, Duration time, Traffic traffic) {
    return TaskRecord.builder(type + "-1", type, 1)
        .worker("w1", "n1")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(begin, begin)
        .phases(new Phases(Duration.ZERO, Duration.ZERO, time, Duration.ZERO))
        .traffic(traffic)
        .build();
  }

  /** Returns a worker that registered some seconds before the first task began. */
  public static WorkerRecord worker(String node, long before) {
    return new WorkerRecord(
        "w-" + node, node, "/r", BEGIN.minusSeconds(before), BEGIN.plusSeconds(1000));
  }
}
