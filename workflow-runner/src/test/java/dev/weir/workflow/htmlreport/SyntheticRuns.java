package dev.weir.workflow.htmlreport;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Creates realistic runs with a list scheduler and artificial speeds. */
final class SyntheticRuns {
  /** The processor time of each command. */
  static final long CPU_MILLIS = 870;

  static final long MEMORY = 123_000_000;

  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final double LINK = 12.5e6;
  private static final double DISK = 150e6;

  private final Workflow workflow;
  private final WorkflowGraph graph;
  private final int workers;
  private final double localShare;
  private final int copies;
  private final Random random;
  private final List<TaskRecord> records = new ArrayList<>();

  private SyntheticRuns(
      Workflow workflow, int workers, double localShare, int copies, Random random) {
    this.workflow = workflow;
    this.graph = workflow.graph();
    this.workers = workers;
    this.localShare = localShare;
    this.copies = copies;
    this.random = random;
  }

  /** Creates a run in which the given share of the input bytes is local. */
  static RunRecord run(String mode, Workflow workflow, int workers, double localShare, int copies) {
    return new SyntheticRuns(workflow, workers, localShare, copies, new Random(7)).run(mode);
  }

  private record Ready(Task task, double since) {}

  private RunRecord run(String mode) {
    Map<String, Integer> missing = new HashMap<>();
    Map<String, Double> ends = new HashMap<>();
    PriorityQueue<Ready> ready = new PriorityQueue<>(Comparator.comparingDouble(Ready::since));
    double[] free = new double[workers];
    Arrays.fill(free, 1.2);
    for (Task task : graph.topologicalOrder()) {
      missing.put(task.id(), graph.parents(task.id()).size());
      if (graph.parents(task.id()).isEmpty()) {
        ready.add(new Ready(task, 1));
      }
    }
    double end = 0;
    while (!ready.isEmpty()) {
      Ready next = ready.remove();
      int worker = 0;
      for (int i = 1; i < workers; i++) {
        worker = free[i] < free[worker] ? i : worker;
      }
      double at = Math.max(free[worker] + 0.03, next.since + 0.02);
      free[worker] = execute(next, worker, at);
      end = Math.max(end, free[worker]);
      ends.put(next.task.id(), free[worker]);
      for (Task child : graph.children(next.task.id())) {
        if (missing.merge(child.id(), -1, Integer::sum) == 0) {
          double since =
              graph.parents(child.id()).stream()
                  .mapToDouble(parent -> ends.getOrDefault(parent.id(), 0.0))
                  .max()
                  .orElse(0);
          ready.add(new Ready(child, since));
        }
      }
    }
    return record(mode, end + 0.4);
  }

  private double execute(Ready ready, int worker, double at) {
    Task task = ready.task;
    double time = at;
    int attempt = 1;
    if (task.id().endsWith("-7") && localShare < 0.5) {
      TaskRecord lost = attempt(ready, worker, time, Outcome.LOST, attempt++);
      time = lost.ended().toEpochMilli() / 1e3 - START.toEpochMilli() / 1e3 + 0.5;
    }
    TaskRecord record = attempt(ready, worker, time, Outcome.SUCCEEDED, attempt);
    return record.ended().toEpochMilli() / 1e3 - START.toEpochMilli() / 1e3;
  }

  private TaskRecord attempt(Ready ready, int worker, double at, Outcome outcome, int attempt) {
    Task task = ready.task;
    long in = size(task.inputs());
    long out = size(task.outputs());
    double share = Math.min(1, Math.max(0, localShare + 0.4 * (random.nextDouble() - 0.5)));
    long local = localShare >= 1 ? in : Math.round(in * share);
    double seconds = task.runtimeSeconds() * (0.8 + 0.4 * random.nextDouble());
    TaskRecord record =
        TaskRecord.builder(task.id(), task.type(), attempt)
            .worker("w" + (worker + 1), "n" + (worker + 1))
            .outcome(outcome, outcome == Outcome.SUCCEEDED ? 0 : -1)
            .times(moment(ready.since), moment(at))
            .phases(
                new Phases(
                    duration(local / DISK + 0.01),
                    duration((in - local) / LINK),
                    duration(seconds),
                    outcome == Outcome.SUCCEEDED
                        ? duration(0.02 + out * (copies > 1 ? 1 / LINK : 1 / DISK))
                        : Duration.ZERO))
            .traffic(new Traffic(local, in - local, out, out * (copies - 1)))
            .effort(new ResourceUse(CPU_MILLIS, MEMORY))
            .build();
    records.add(record);
    return record;
  }

  private long size(List<String> files) {
    return files.stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
  }

  private RunRecord record(String mode, double end) {
    List<WorkerRecord> lanes = new ArrayList<>();
    for (int i = 1; i <= workers; i++) {
      lanes.add(new WorkerRecord("w" + i, "n" + i, "/default-rack", moment(1), moment(end)));
    }
    return new RunRecord(
        mode + "-1", workflow.name(), mode, RunState.SUCCEEDED, START, moment(end), lanes, records);
  }

  private static Instant moment(double seconds) {
    return START.plus(duration(seconds));
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }
}
