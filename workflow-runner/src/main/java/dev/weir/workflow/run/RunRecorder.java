package dev.weir.workflow.run;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.NodeFill;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.PlacementReason.Candidate;
import dev.weir.workflow.record.ReusedTask;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.MemoryExceeded;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Collects the attempts and workers for the record of a run. Thread-safe. */
public final class RunRecorder implements RecordListener {

  /** Attempts beyond this have neither a placement nor the hosts of their outputs. */
  private static final int MAX_DETAILED = 20_000;

  /** About 300 KB of commands' output, at most 2 MB of our own messages. */
  static final int MOST_MESSAGES = 1_000;

  private final Function<String, Task> tasks;
  private final List<TaskRecord> attempts = new ArrayList<>();
  private final Map<String, Stay> stays = new LinkedHashMap<>();
  private final Map<String, WorkerInfo> known = new HashMap<>();
  private final Map<String, String> hosts = new HashMap<>();
  private final Map<String, TakenOver> taken = new LinkedHashMap<>();

  /** Distinct failure messages, because many failed attempts share one. */
  private final Map<String, String> messages = new HashMap<>();

  private boolean workerLost;
  private long startedMillis;

  /** A worker and its time in the run; ended is 0 while it is connected. */
  private record Stay(WorkerInfo worker, long startedMillis, long endedMillis) {}

  /**
   * Creates a recorder.
   *
   * @param tasks the tasks of the workflow, by id
   */
  public RunRecorder(long startedMillis, Function<String, Task> tasks) {
    this.startedMillis = startedMillis;
    this.tasks = tasks;
  }

  /**
   * Replays a record of an earlier application attempt. Its workers count as gone until they join.
   */
  public synchronized void replay(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      stays.merge(
          ended.worker().id(),
          new Stay(ended.worker(), ended.dispatchedMillis(), ended.endedMillis()),
          (known, more) ->
              new Stay(
                  known.worker,
                  known.startedMillis,
                  Math.max(known.endedMillis, more.endedMillis)));
      add(ended);
    } else {
      record(record);
    }
  }

  @Override
  public synchronized void record(DispatchRecord record) {
    if (record instanceof AttemptEnded ended) {
      add(ended);
    } else if (record instanceof TakenOver done) {
      taken.put(done.task(), done);
    } else if (record instanceof MemoryExceeded exceeded) {
      explainLoss(exceeded);
    }
  }

  /** Replaces the message of an attempt whose worker was lost for a reason then unknown. */
  private void explainLoss(MemoryExceeded exceeded) {
    for (int i = attempts.size() - 1; i >= 0; i--) {
      TaskRecord attempt = attempts.get(i);
      if (attempt.task().equals(exceeded.task())
          && attempt.worker().equals(exceeded.worker().id())) {
        attempts.set(i, attempt.withMessage(kept(exceeded.message())));
        return;
      }
    }
  }

  /** Returns the tasks that were reused from earlier runs. */
  synchronized List<TakenOver> takenOver() {
    return List.copyOf(taken.values());
  }

  /** Keeps only what the record needs: a run may have a hundred thousand attempts. */
  private void add(AttemptEnded ended) {
    // An attempt from an earlier ApplicationMaster may have been ready before this one started.
    startedMillis = Math.min(startedMillis, ended.readyMillis());
    TaskReport.Result result = ended.report().result();
    workerLost |= result == TaskReport.Result.WORKER_LOST || result == TaskReport.Result.STOPPED;
    attempts.add(taskRecord(ended));
  }

  @Override
  public synchronized void workerJoined(WorkerInfo worker, long now) {
    stays.merge(
        worker.id(),
        new Stay(worker, now, 0),
        (before, again) -> new Stay(before.worker, before.startedMillis, 0));
  }

  @Override
  public synchronized void workerEnded(String worker, long now) {
    stays.computeIfPresent(worker, (id, stay) -> new Stay(stay.worker, stay.startedMillis, now));
  }

  /**
   * Forgets the attempts at some tasks, and gone workers without other attempts. The record then
   * begins with the first remaining attempt.
   */
  public synchronized void forget(Set<String> old) {
    attempts.removeIf(attempt -> old.contains(attempt.task()));
    Set<String> busy = new HashSet<>();
    attempts.forEach(attempt -> busy.add(attempt.worker()));
    known.keySet().retainAll(busy);
    messages
        .keySet()
        .retainAll(attempts.stream().map(TaskRecord::message).collect(Collectors.toSet()));
    stays.values().removeIf(stay -> stay.endedMillis != 0 && !busy.contains(stay.worker.id()));
    startedMillis =
        attempts.stream()
            .mapToLong(attempt -> attempt.ready().toEpochMilli())
            .min()
            .orElse(Long.MAX_VALUE);
  }

  /** Returns the start of the run, under any application attempt. */
  synchronized Instant started() {
    return Instant.ofEpochMilli(startedMillis);
  }

  /** The attempts from that number on, in the order in which they ended. */
  public synchronized List<TaskRecord> attempts(int from, int most) {
    return List.copyOf(attempts.subList(from, Math.min(attempts.size(), from + most)));
  }

  /** Whether an attempt was interrupted, so that its temporary files may be left. */
  synchronized boolean anyWorkerLost() {
    return workerLost;
  }

  /**
   * The names of a run.
   *
   * @param mode label of the mode
   */
  public record Name(String id, String workflow, String mode) {}

  public synchronized RunRecord build(Name name, RunState state, long endedMillis) {
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
            state,
            Instant.ofEpochMilli(startedMillis),
            Instant.ofEpochMilli(endedMillis),
            workers,
            attempts)
        .with(taken.values().stream().map(this::reusedTask).toList());
  }

  private ReusedTask reusedTask(TakenOver done) {
    Task task = tasks.apply(done.task());
    return new ReusedTask(
        task.id(), task.type(), done.run(), done.outputs().stream().map(FileRecord::of).toList());
  }

  private TaskRecord taskRecord(AttemptEnded ended) {
    TaskReport report = ended.report();
    Usage usage = report.usage();
    Task task = tasks.apply(report.task());
    WorkerInfo worker = known.computeIfAbsent(ended.worker().id(), id -> ended.worker());
    Outcome outcome = outcome(report.result());
    boolean failed = outcome == Outcome.FAILED || outcome == Outcome.LOST;
    UnaryOperator<FileRecord> named = withNamesOf(task);
    return took(TaskRecord.builder(task.id(), task.type(), report.attempt()), ended)
        .worker(worker.id(), worker.node())
        .outcome(outcome, report.exitCode())
        .traffic(
            new TaskRecord.Traffic(
                usage.inputBytesLocal(),
                usage.inputBytesRemote(),
                usage.outputBytes(),
                usage.outputBytesRemote(),
                usage.inputBytesCached()))
        .files(
            report.inputs().stream().map(FileRecord::of).map(named).toList(),
            report.outputs().stream()
                .map(FileRecord::of)
                .map(this::withoutHosts)
                .map(named)
                .toList())
        .placement(placement(ended))
        .message(failed ? kept(report.firstLine()) : "")
        .build();
  }

  /** Returns the kept copy of a message; empty when it is new and the limit is reached. */
  private String kept(String message) {
    if (messages.size() < MOST_MESSAGES) {
      messages.putIfAbsent(message, message);
    }
    return messages.getOrDefault(message, "");
  }

  private static Outcome outcome(TaskReport.Result result) {
    return switch (result) {
      case SUCCEEDED -> Outcome.SUCCEEDED;
      case FAILED, REFUSED, MEMORY_EXCEEDED -> Outcome.FAILED;
      case INFRASTRUCTURE, NODE_UNFIT, INPUT_LOST, INPUT_UNREADABLE, WORKER_LOST, RECALLED ->
          Outcome.LOST;
      case STOPPED -> Outcome.CANCELLED;
    };
  }

  /** Replaces file names by the workflow's own strings, to save memory. */
  private UnaryOperator<FileRecord> withNamesOf(Task task) {
    Map<String, String> names = new HashMap<>();
    task.inputs().forEach(name -> names.put(name, name));
    task.outputs().forEach(name -> names.put(name, name));
    return file ->
        new FileRecord(
            names.getOrDefault(file.file(), file.file()),
            file.bytes(),
            file.crc32c(),
            shared(file.nodes()),
            shared(file.caches()),
            file.onNode());
  }

  /** Replaces host names by one string each, to save memory. */
  private Map<String, Long> shared(Map<String, Long> bytesByHost) {
    if (bytesByHost.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> copy = new HashMap<>();
    bytesByHost.forEach(
        (host, bytes) -> copy.put(hosts.computeIfAbsent(host, name -> name), bytes));
    return copy;
  }

  /** Drops the hosts of an output of a large run, which would take too much memory. */
  private FileRecord withoutHosts(FileRecord file) {
    return attempts.size() < MAX_DETAILED ? file : file.withoutHosts();
  }

  private PlacementReason placement(AttemptEnded ended) {
    PlacementReason placement = ended.placement();
    if (placement == null || attempts.size() >= MAX_DETAILED) {
      return PlacementReason.UNKNOWN;
    }
    return new PlacementReason(
        placement.decision(),
        placement.inputBytes(),
        placement.bytesPerSecond(),
        placement.candidates().stream()
            .map(
                it ->
                    new Candidate(
                        hosts.computeIfAbsent(it.node(), name -> name),
                        it.bytes(),
                        it.waitMillis()))
            .toList());
  }

  /**
   * Sets the times and resources of an attempt. A prefetched task waited on the worker between its
   * phases. The record puts that wait before the phases, so that a timeline shows the attempts one
   * after the other.
   */
  public static TaskRecord.Builder took(TaskRecord.Builder record, AttemptEnded ended) {
    Usage usage = ended.report().usage();
    TaskRecord.Phases phases =
        new TaskRecord.Phases(
            Duration.ofMillis(usage.stageInLocalMillis()),
            Duration.ofMillis(usage.stageInRemoteMillis()),
            Duration.ofMillis(usage.runMillis()),
            Duration.ofMillis(usage.stageOutMillis()));
    long begun =
        Math.max(ended.dispatchedMillis(), ended.endedMillis() - phases.total().toMillis());
    return record
        .times(Instant.ofEpochMilli(ended.readyMillis()), Instant.ofEpochMilli(begun))
        .phases(phases)
        .effort(ended.report().effort())
        .fill(new NodeFill(usage.cacheBytes(), usage.diskFreeBytes()));
  }
}
