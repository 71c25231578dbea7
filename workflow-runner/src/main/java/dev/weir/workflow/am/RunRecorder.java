package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.AttemptEnded;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Collects what the record of the run is made of. Thread-safe. */
final class RunRecorder {

  private final List<AttemptEnded> attempts = new ArrayList<>();
  private final Map<String, Stay> stays = new LinkedHashMap<>();
  private long startedMillis;

  /** A worker and the time that it was there; ended 0 while it is. */
  private record Stay(WorkerInfo worker, long startedMillis, long endedMillis) {}

  RunRecorder(long startedMillis) {
    this.startedMillis = startedMillis;
  }

  /** Takes over a record of an earlier ApplicationMaster, whose workers are gone. */
  synchronized void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      startedMillis = Math.min(startedMillis, ended.readyMillis());
      stays.merge(
          ended.worker().id(),
          new Stay(ended.worker(), ended.dispatchedMillis(), ended.endedMillis()),
          (known, more) ->
              new Stay(
                  known.worker,
                  known.startedMillis,
                  Math.max(known.endedMillis, more.endedMillis)));
      attempts.add(ended);
    }
  }

  synchronized void record(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      attempts.add(ended);
    }
  }

  synchronized void workerJoined(WorkerInfo worker, long now) {
    stays.put(worker.id(), new Stay(worker, now, 0));
  }

  synchronized void workerEnded(String worker, long now) {
    stays.computeIfPresent(worker, (id, stay) -> new Stay(stay.worker, stay.startedMillis, now));
  }

  /** Whether an attempt was cut off: what it had begun to write may still lie about. */
  synchronized boolean anyWorkerLost() {
    return attempts.stream()
        .anyMatch(ended -> ended.report().result() == TaskReport.Result.WORKER_LOST);
  }

  /**
   * What names a run.
   *
   * @param id its id
   * @param workflow name of the workflow
   * @param mode label of the mode
   */
  record Name(String id, String workflow, String mode) {}

  synchronized RunRecord build(
      Name name, boolean succeeded, long endedMillis, Function<String, String> typeOf) {
    List<WorkerRecord> workers =
        stays.values().stream()
            .map(
                stay ->
                    new WorkerRecord(
                        stay.worker.id(),
                        stay.worker.node(),
                        stay.worker.rack(),
                        Instant.ofEpochMilli(stay.startedMillis),
                        Instant.ofEpochMilli(
                            stay.endedMillis == 0
                                ? Math.max(endedMillis, stay.startedMillis)
                                : stay.endedMillis)))
            .toList();
    return new RunRecord(
        name.id(),
        name.workflow(),
        name.mode(),
        succeeded ? RunState.SUCCEEDED : RunState.FAILED,
        Instant.ofEpochMilli(startedMillis),
        Instant.ofEpochMilli(endedMillis),
        workers,
        attempts.stream().map(ended -> taskRecord(ended, typeOf)).toList());
  }

  private static TaskRecord taskRecord(AttemptEnded ended, Function<String, String> typeOf) {
    TaskReport report = ended.report();
    Usage usage = report.usage();
    return new TaskRecord(
        report.task(),
        typeOf.apply(report.task()),
        report.attempt(),
        ended.worker().id(),
        ended.worker().node(),
        switch (report.result()) {
          case SUCCEEDED -> Outcome.SUCCEEDED;
          case FAILED -> Outcome.FAILED;
          case INPUT_LOST, WORKER_LOST -> Outcome.LOST;
        },
        report.exitCode(),
        Instant.ofEpochMilli(ended.readyMillis()),
        Instant.ofEpochMilli(ended.dispatchedMillis()),
        new TaskRecord.Phases(
            Duration.ofMillis(usage.stageInLocalMillis()),
            Duration.ofMillis(usage.stageInRemoteMillis()),
            Duration.ofMillis(usage.runMillis()),
            Duration.ofMillis(usage.stageOutMillis())),
        new TaskRecord.Traffic(
            usage.inputBytesLocal(),
            usage.inputBytesRemote(),
            usage.outputBytes(),
            usage.outputBytesRemote()));
  }
}
