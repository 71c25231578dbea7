package dev.weir.workflow.run;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.Quantiles;
import dev.weir.workflow.scheduler.TaskProfiles;
import dev.weir.workflow.scheduler.TaskProfiles.Profile;
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
 * What the user's runs and pools have taught about types of tasks: {@code .weir/habits.json}, read
 * when one begins and written when it ends. Whatever goes wrong costs no more than a worse guess.
 * Of two that end at the same time one is not remembered.
 */
public final class TaskProfileStore {

  private static final Logger LOG = LoggerFactory.getLogger(TaskProfileStore.class);

  /** Some workflows call every task a type. */
  private static final int MOST_TYPES = 5_000;

  /** What fewer than so many attempts took does not replace what more did. */
  private static final int ENOUGH = 3;

  /** A run whose tasks need less makes this part of what was known be forgotten. */
  private static final int FORGET = 10;

  private static final double MILLIS_PER_SECOND = 1_000;

  private final RunDirectories directories;

  public TaskProfileStore(RunDirectories directories) {
    this.directories = directories;
  }

  /** What is known; nothing when it cannot be read. */
  public TaskProfiles read() {
    try {
      return directories.taskProfiles();
    } catch (FileNotFoundException e) {
      return TaskProfiles.NONE;
    } catch (IOException | RuntimeException e) {
      LOG.warn("What earlier runs have taught cannot be read", e);
      return TaskProfiles.NONE;
    }
  }

  /**
   * Adds what a run or a pool has taught.
   *
   * @param attempts of it
   * @param workerCores how many cores each of its workers had
   */
  public void learn(List<TaskRecord> attempts, int workerCores) {
    try {
      TaskProfiles now = after(read(), attempts, workerCores);
      if (!attempts.isEmpty() && !now.types().isEmpty()) {
        directories.writeTaskProfiles(now);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("What this run has taught cannot be written down", e);
    }
  }

  /**
   * What is known after a run.
   *
   * @param before what was known
   * @param all attempts of the run; those without a type teach only what company others had
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
