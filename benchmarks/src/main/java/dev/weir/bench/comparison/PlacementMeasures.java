package dev.weir.bench.comparison;

import dev.weir.bench.series.CountedTasks;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.staging.Mode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How a run distributed data and tasks.
 *
 * @param withoutCopy share of the tasks that read no byte from another node, from 0 to 1; tasks
 *     without inputs count
 * @param uselessCopies share of the copied bytes of intermediate files that no task on the
 *     receiving node reads, from 0 to 1; 0 without copies. Nodes without a worker do not count.
 * @param storedGini Gini coefficient over nodes of the bytes stored
 * @param busyGini Gini coefficient over nodes of the time with a task
 * @param storedPerMade the stored bytes divided by the bytes that tasks wrote; replicas and cached
 *     copies count, inputs in HDFS do not
 * @param transfers inputs of tasks of which bytes came from another node
 */
record PlacementMeasures(
    double withoutCopy,
    double uselessCopies,
    double storedGini,
    double busyGini,
    double storedPerMade,
    double transfers) {
  /** The modes in which a node keeps what its tasks read from other nodes. */
  private static final Set<String> WITH_CACHES = Set.of(Mode.LOCALITY.label(), Mode.WEIR.label());

  /** Measures a run whose record has the final nodes of its outputs. */
  static PlacementMeasures of(RunRecord run) {
    List<TaskRecord> tasks = CountedTasks.of(run).done();
    FileTotals totals = new FileTotals(run, tasks);
    tasks.forEach(totals::add);
    Map<String, Double> stored = new TreeMap<>(totals.stored);
    Map<String, Double> busy = new TreeMap<>();
    for (WorkerRecord worker : run.workers()) {
      stored.putIfAbsent(worker.node(), 0.0);
      busy.put(worker.node(), 0.0);
    }
    tasks.forEach(
        task -> busy.merge(task.node(), task.phases().total().toNanos() / 1e9, Double::sum));
    double all = stored.values().stream().mapToDouble(Double::doubleValue).sum();
    return new PlacementMeasures(
        tasks.isEmpty()
            ? 1
            : (double) tasks.stream().filter(task -> task.traffic().inputRemote() == 0).count()
                / tasks.size(),
        totals.copied == 0 ? 0 : totals.useless / totals.copied,
        gini(stored.values()),
        gini(busy.values()),
        totals.made == 0 ? 0 : all / totals.made,
        totals.transfers);
  }

  /**
   * Returns the Gini coefficient.
   *
   * @param values none negative
   * @return 0 if all are equal, almost 1 if all but one are 0
   */
  static double gini(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double sum = 0;
    double weighted = 0;
    for (int i = 0; i < sorted.length; i++) {
      sum += sorted[i];
      weighted += (2.0 * (i + 1) - sorted.length - 1) * sorted[i];
    }
    return sum == 0 ? 0 : weighted / (sorted.length * sum);
  }

  /** Sums over the files of a run. */
  private static final class FileTotals {
    private final boolean caches;
    private final Set<String> workers = new HashSet<>();
    private final Map<String, Set<String>> readers = new HashMap<>();
    private final Map<String, Set<String>> holders = new HashMap<>();
    private final Set<String> outputs = new HashSet<>();
    private final Map<String, Double> stored = new HashMap<>();
    private double made;
    private double copied;
    private double useless;
    private int transfers;

    FileTotals(RunRecord run, List<TaskRecord> tasks) {
      this.caches = WITH_CACHES.contains(run.mode());
      run.workers().forEach(worker -> workers.add(worker.node()));
      for (TaskRecord task : tasks) {
        for (FileRecord input : task.files().inputs()) {
          readers.computeIfAbsent(input.file(), file -> new HashSet<>()).add(task.node());
        }
        for (FileRecord output : task.files().outputs()) {
          outputs.add(output.file());
          holders.put(output.file(), new HashSet<>(output.nodes().keySet()));
        }
      }
    }

    void add(TaskRecord task) {
      task.files().outputs().forEach(output -> written(task.node(), output));
      task.files().inputs().forEach(input -> read(task.node(), input));
    }

    private void written(String writer, FileRecord output) {
      made += output.bytes();
      Set<String> reading = readers.getOrDefault(output.file(), Set.of());
      output
          .nodes()
          .forEach(
              (node, bytes) -> {
                stored.merge(node, (double) bytes, Double::sum);
                if (!reading.isEmpty() && !node.equals(writer) && workers.contains(node)) {
                  copied += bytes;
                  useless += reading.contains(node) ? 0 : bytes;
                }
              });
    }

    private void read(String reader, FileRecord input) {
      double remote = sum(input.nodes()) + sum(input.caches());
      Set<String> holding = holders.computeIfAbsent(input.file(), file -> new HashSet<>());
      copied += outputs.contains(input.file()) ? remote : 0;
      transfers += remote > 0 ? 1 : 0;
      if (caches && remote > 0 && holding.add(reader)) {
        stored.merge(reader, remote, Double::sum);
      }
    }

    private static double sum(Map<String, Long> bytes) {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
