package dev.weir.bench.series;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The runs of a series, in memory and on disk, and the next run to make. Not thread-safe.
 *
 * @param <R> the type of the runs
 */
public final class RecordedSeries<R extends SeriesRun> {
  /**
   * After this many failures in a row the next run would fail too: for the same group if all
   * failures are of one group, otherwise on this machine.
   */
  private static final int MOST_IN_ROW = 3;

  /** The attempts per run; a retry comes only after all other runs. */
  private static final int TRIES = 2;

  private final SeriesDirectory directory;
  private final Map<String, List<R>> runs = new TreeMap<>();
  private final Map<String, List<LocalRunTime>> locals = new TreeMap<>();
  private final Map<String, List<FailedRun>> failed = new TreeMap<>();
  private final Set<PlannedRun> made = new HashSet<>();
  private final Map<PlannedRun, Integer> failures = new LinkedHashMap<>();
  private final List<PlannedRun> failedInRow = new ArrayList<>();
  private final Set<String> skippedGroups = new HashSet<>();

  /**
   * Reads the existing runs.
   *
   * @param groups the possible groups
   * @param type of the runs
   * @throws IOException if a file cannot be read
   */
  public RecordedSeries(SeriesDirectory directory, List<String> groups, Class<R> type)
      throws IOException {
    this.directory = directory;
    for (String group : groups) {
      List<R> kept = directory.runs(group, type);
      if (!kept.isEmpty()) {
        runs.put(group, new ArrayList<>(kept));
        kept.forEach(run -> made.add(run.id()));
      }
      List<LocalRunTime> times = directory.locals(group);
      if (!times.isEmpty()) {
        locals.put(group, new ArrayList<>(times));
      }
      failed.put(group, new ArrayList<>(directory.failed(group)));
    }
  }

  /** Returns the runs of a group, unordered. */
  public List<R> runs(String group) {
    return List.copyOf(runs.getOrDefault(group, List.of()));
  }

  /** Returns the times of a group's commands without Hadoop, unordered. */
  public List<LocalRunTime> locals(String group) {
    return List.copyOf(locals.getOrDefault(group, List.of()));
  }

  /** Returns the failed runs of a group, including those that succeeded later, unordered. */
  public List<FailedRun> failed(String group) {
    return List.copyOf(failed.getOrDefault(group, List.of()));
  }

  /**
   * Returns the next run: first runs that were not tried, then runs that have failed once.
   *
   * @return empty if all runs are made or failed permanently
   */
  public Optional<PlannedRun> next(RunOrder order) {
    for (int tries = 0; tries < TRIES; tries++) {
      int most = tries;
      Optional<PlannedRun> next =
          order.next(planned -> isPast(planned) || failuresOf(planned) > most);
      if (next.isPresent()) {
        return next;
      }
    }
    return Optional.empty();
  }

  private boolean isPast(PlannedRun planned) {
    return made.contains(planned) || skippedGroups.contains(planned.group());
  }

  private int failuresOf(PlannedRun planned) {
    return failures.getOrDefault(planned, 0);
  }

  /** Returns a sentence on the missing runs; empty if none is missing. */
  public Optional<String> remaining(RunOrder order) {
    long left = order.runs().stream().filter(planned -> !made.contains(planned)).distinct().count();
    return left == 0
        ? Optional.empty()
        : Optional.of(
            left
                + " of "
                + order.runs().stream().distinct().count()
                + " runs are not made yet, "
                + failures().size()
                + " of them were tried and failed: continue with --resume");
  }

  /** Returns whether the run's group was measured without Hadoop for this repetition. */
  public boolean hasLocal(PlannedRun planned) {
    return locals(planned.group()).stream().anyMatch(time -> time.repeat() == planned.repeat());
  }

  /** Adds a run, first on disk. */
  public void add(R run) throws IOException {
    directory.keep(run);
    runs.computeIfAbsent(run.id().group(), group -> new ArrayList<>()).add(run);
    made.add(run.id());
    failedInRow.clear();
  }

  /** Adds the time of a group's commands without Hadoop. */
  public void add(String group, LocalRunTime time) throws IOException {
    directory.keep(group, time);
    locals.computeIfAbsent(group, made -> new ArrayList<>()).add(time);
  }

  /**
   * Skips a failed run until all others are made. If several runs of its group have failed in a
   * row, the group is skipped until the series is resumed.
   *
   * @return whether the group is skipped from now on
   * @throws IOException if several runs of different groups have failed in a row, or if the failure
   *     cannot be stored
   */
  public boolean failed(PlannedRun planned, Exception reason) throws IOException {
    storeFailure(planned, reason);
    failures.merge(planned, 1, Integer::sum);
    failedInRow.add(planned);
    if (failedInRow.size() < MOST_IN_ROW) {
      return false;
    }
    if (failedInRow.stream().map(PlannedRun::group).distinct().count() > 1) {
      throw new IOException(
          failedInRow.size()
              + " runs have failed one after another, the last one "
              + planned
              + ": "
              + reason.getMessage(),
          reason);
    }
    return skippedGroups.add(planned.group());
  }

  /** Stores that a run failed, for tables. */
  void storeFailure(PlannedRun planned, Exception reason) throws IOException {
    FailedRun one = new FailedRun(planned, String.valueOf(reason.getMessage()));
    directory.keep(one);
    failed.computeIfAbsent(planned.group(), group -> new ArrayList<>()).add(one);
  }

  /** Returns the runs that failed since the series was opened and have not succeeded since. */
  public List<PlannedRun> failures() {
    return failures.keySet().stream().filter(planned -> !made.contains(planned)).toList();
  }

  /** Returns the number of runs of a session. */
  public long madeIn(Session session) {
    return runs.values().stream()
        .flatMap(List::stream)
        .filter(run -> run.session() == session.number())
        .count();
  }
}
