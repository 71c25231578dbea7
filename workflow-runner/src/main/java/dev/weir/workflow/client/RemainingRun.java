package dev.weir.workflow.client;

import dev.weir.workflow.estimate.ClusterRates;
import dev.weir.workflow.estimate.EstimateCluster;
import dev.weir.workflow.estimate.RunEstimate;
import dev.weir.workflow.estimate.RunEstimator;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Estimates what is left of a live run from its journal: which tasks are done, where their files
 * are, and how long commands took. Not thread-safe; for one use.
 */
final class RemainingRun {

  /** More tasks take longer to simulate than a user waits for a status. */
  private static final int MOST_TASKS = 5_000;

  /** With fewer samples in this run, those of earlier runs count. */
  private static final int LEAST = 3;

  private static final long MOST_BYTES = 64L << 20;
  private static final double MILLIS = 1_000;

  private final RunPlan plan;
  private final String graph;
  private final Map<String, List<StoredFile>> done = new LinkedHashMap<>();
  private final Map<String, List<Double>> seconds = new TreeMap<>();

  /**
   * Creates an estimate.
   *
   * @param graph id of the run's graph in the journal
   */
  RemainingRun(RunPlan plan, String graph) {
    this.plan = plan;
    this.graph = graph;
  }

  /** Whether a run is small enough to be estimated for its status. */
  static boolean isEstimated(RunPlan plan) {
    return plan.workflow().tasks().size() <= MOST_TASKS;
  }

  /** Reads the journal of the run's session, as far as it is written. */
  void read(FileSystem fs, Path journals) throws IOException {
    new JournalReader(fs, journals, ReadBudget.ofBytes(MOST_BYTES))
        .readLeniently(line -> add(line.record()));
  }

  void add(DispatchRecord scoped) {
    if (!scoped.graph().equals(graph)) {
      return;
    }
    DispatchRecord record = ScopedRecords.unscoped(scoped);
    if (record instanceof DispatchRecord.TakenOver taken) {
      done.put(taken.task(), taken.outputs());
    } else if (record instanceof DispatchRecord.AttemptEnded ended
        && ended.report().result() == TaskReport.Result.SUCCEEDED) {
      TaskReport report = ended.report();
      done.put(report.task(), report.outputs());
      seconds
          .computeIfAbsent(report.task(), task -> new ArrayList<>())
          .add(report.usage().runMillis() / MILLIS);
    }
  }

  /**
   * Estimates what is left.
   *
   * @param profiles what earlier runs have measured
   * @param nowMillis the time, in milliseconds since the epoch
   * @return empty if the run has no worker yet
   */
  Optional<RunEstimate> estimate(
      TaskProfiles profiles, ClusterRates rates, ProgressView progress, long nowMillis) {
    if (progress.workers() == 0 || plan.racks().isEmpty()) {
      return Optional.empty();
    }
    Map<String, Double> elapsed = new HashMap<>();
    for (Progress.Running running : progress.running()) {
      elapsed.put(running.task(), Math.max(0, (nowMillis - running.sinceMillis()) / MILLIS));
    }
    EstimateCluster cluster =
        new EstimateCluster(
            List.copyOf(new TreeMap<>(plan.racks()).keySet()),
            progress.workers(),
            plan.workers().size(),
            rates,
            progress.storage());
    return Optional.of(
        new RunEstimator(cluster, plan.mode())
            .remaining(plan.workflow(), with(profiles), done, elapsed));
  }

  /**
   * The progress that an estimate needs.
   *
   * @param running running tasks
   * @param storage how HDFS stores files
   */
  record ProgressView(
      int workers, List<Progress.Running> running, EstimateCluster.Storage storage) {}

  /** Returns profiles with the times of this run in place of those of earlier runs. */
  private TaskProfiles with(TaskProfiles earlier) {
    Map<String, List<Double>> byType = new TreeMap<>();
    plan.workflow()
        .tasks()
        .forEach(
            task ->
                byType
                    .computeIfAbsent(task.type(), type -> new ArrayList<>())
                    .addAll(seconds.getOrDefault(task.id(), List.of())));
    Map<String, Profile> types = new LinkedHashMap<>(earlier.types());
    byType.forEach(
        (type, times) -> {
          if (times.size() >= LEAST) {
            Collections.sort(times);
            double median = times.get(times.size() / 2);
            Profile old = earlier.of(type).orElse(new Profile(1, 0, 0, 0, 0));
            types.put(
                type,
                new Profile(
                    times.size(),
                    median,
                    median,
                    median,
                    old.peakMemoryBytes(),
                    old.cores(),
                    old.coreSamples()));
          }
        });
    return new TaskProfiles(types);
  }
}
