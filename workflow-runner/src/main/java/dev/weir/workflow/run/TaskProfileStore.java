package dev.weir.workflow.run;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Quantiles;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import dev.weir.workflow.staging.RunDirectories;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the task profiles from a user's runs and sessions in {@code .weir/habits.json}. A run or
 * session reads it at its start and writes it at its end. A failure only makes estimates worse.
 * When two end at the same time, one update is lost.
 */
public final class TaskProfileStore {

  private static final Logger LOG = LoggerFactory.getLogger(TaskProfileStore.class);

  /** Limit for workflows in which every task has its own type. */
  private static final int MOST_TYPES = 5_000;

  /** A measurement from fewer attempts does not replace one from more. */
  private static final int ENOUGH = 3;

  /** The fraction of the known need that a run with lower needs removes. */
  private static final int FORGET = 10;

  private static final double MILLIS_PER_SECOND = 1_000;

  private final RunDirectories directories;

  public TaskProfileStore(RunDirectories directories) {
    this.directories = directories;
  }

  /** Returns the stored profiles; none when they cannot be read. */
  public TaskProfiles read() {
    try {
      return directories.taskProfiles();
    } catch (FileNotFoundException e) {
      return TaskProfiles.NONE;
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot read the task profiles", e);
      return TaskProfiles.NONE;
    }
  }

  /**
   * Adds the measurements of a run or session.
   *
   * @param workerCores how many cores each of its workers had
   */
  public void learn(List<TaskRecord> attempts, int workerCores) {
    try {
      TaskProfiles now = after(read(), attempts, workerCores);
      if (!attempts.isEmpty() && !now.types().isEmpty()) {
        directories.writeTaskProfiles(now);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot write the task profiles", e);
    }
  }

  /**
   * Returns the profiles after a run.
   *
   * @param all attempts of the run; those without a type only count as neighbours of others
   * @param workerCores how many cores each of its workers had
   */
  public static TaskProfiles after(TaskProfiles before, List<TaskRecord> all, int workerCores) {
    Map<String, List<TaskRecord>> byType = new LinkedHashMap<>();
    for (TaskRecord attempt : all) {
      if (attempt.outcome() == Outcome.SUCCEEDED && !attempt.type().isEmpty()) {
        byType.computeIfAbsent(attempt.type(), type -> new ArrayList<>()).add(attempt);
      }
    }
    Map<String, CoreUse.Seen> cores = CoreUse.byType(all, workerCores);
    Map<String, Profile> types = new LinkedHashMap<>();
    byType.forEach(
        (type, attempts) -> {
          Profile fresh = habit(attempts);
          Profile old = before.of(type).orElse(fresh);
          CoreUse.Seen seen = cores.get(type);
          Profile merged = merge(old, fresh);
          types.put(type, seen == null ? merged : seen.addTo(merged, workerCores));
        });
    before.types().forEach(types::putIfAbsent);
    Map<String, Profile> kept = new LinkedHashMap<>();
    types.entrySet().stream()
        .limit(MOST_TYPES)
        .forEach(entry -> kept.put(entry.getKey(), entry.getValue()));
    return new TaskProfiles(kept);
  }

  private static Profile merge(Profile old, Profile fresh) {
    Profile times = fresh.samples() >= ENOUGH || old.samples() < ENOUGH ? fresh : old;
    long remembered = old.peakMemoryBytes() - old.peakMemoryBytes() / FORGET;
    return new Profile(
        times.samples(),
        times.runSeconds(),
        times.expectedSeconds(),
        times.slowSeconds(),
        Math.max(fresh.peakMemoryBytes(), remembered),
        old.cores(),
        old.coreSamples());
  }

  private static Profile habit(List<TaskRecord> attempts) {
    double[] totals = sorted(attempts, attempt -> seconds(attempt.phases().total()));
    return new Profile(
        attempts.size(),
        Quantiles.median(sorted(attempts, attempt -> seconds(attempt.phases().run()))),
        Quantiles.median(totals),
        Quantiles.slow(totals),
        attempts.stream().mapToLong(attempt -> attempt.effort().peakMemoryBytes()).max().orElse(0));
  }

  private static double[] sorted(List<TaskRecord> attempts, ToDoubleFunction<TaskRecord> value) {
    return attempts.stream().mapToDouble(value).sorted().toArray();
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS_PER_SECOND;
  }
}
