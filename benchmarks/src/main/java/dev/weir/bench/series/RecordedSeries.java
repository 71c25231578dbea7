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
 * What a series has, in memory and on disk, and what is to be made next. Not for several threads at
 * once.
 */
public final class RecordedSeries {
  /**
   * Where so many fail one after another, something is wrong that the next would meet too: with the
   * group when they are all of one, else with the machine.
   */
  private static final int MOST_IN_ROW = 3;

  /** Each is tried so often; again only when all others are made. */
  private static final int TRIES = 2;

  private final SeriesDirectory directory;
  private final Map<String, List<RecordedRun>> runs = new TreeMap<>();
  private final Map<String, List<LocalRunTime>> locals = new TreeMap<>();
  private final Map<String, List<FailedRun>> failed = new TreeMap<>();
  private final Set<PlannedRun> made = new HashSet<>();
  private final Map<PlannedRun, Integer> failures = new LinkedHashMap<>();
  private final List<PlannedRun> failedInRow = new ArrayList<>();
  private final Set<String> givenUp = new HashSet<>();

  /**
   * Reads what there is.
   *
   * @param groups what there can be
   * @throws IOException when a file cannot be read
   */
  public RecordedSeries(SeriesDirectory directory, List<String> groups) throws IOException {
    this.directory = directory;
    for (String group : groups) {
      List<RecordedRun> kept = directory.runs(group);
      if (!kept.isEmpty()) {
        runs.put(group, new ArrayList<>(kept));
        kept.forEach(run -> made.add(run.turn()));
      }
      List<LocalRunTime> times = directory.locals(group);
      if (!times.isEmpty()) {
        locals.put(group, new ArrayList<>(times));
      }
      failed.put(group, new ArrayList<>(directory.failed(group)));
    }
  }

  /** The runs of a group, in no order. */
  public List<RecordedRun> runs(String group) {
    return List.copyOf(runs.getOrDefault(group, List.of()));
  }

  /** What a group's commands took without Hadoop, in no order. */
  public List<LocalRunTime> locals(String group) {
    return List.copyOf(locals.getOrDefault(group, List.of()));
  }

  /** The runs of a group that failed, also those that were made after that, in no order. */
  public List<FailedRun> failed(String group) {
    return List.copyOf(failed.getOrDefault(group, List.of()));
  }

  /**
   * What is to be made next: what was not tried, then what has failed once.
   *
   * @return empty when all is there, or was tried in vain
   */
  public Optional<PlannedRun> next(RunOrder order) {
    for (int tries = 0; tries < TRIES; tries++) {
      int most = tries;
      Optional<PlannedRun> next = order.next(turn -> isPast(turn) || failuresOf(turn) > most);
      if (next.isPresent()) {
        return next;
      }
    }
    return Optional.empty();
  }

  private boolean isPast(PlannedRun turn) {
    return made.contains(turn) || givenUp.contains(turn.group());
  }

  private int failuresOf(PlannedRun turn) {
    return failures.getOrDefault(turn, 0);
  }

  /** What is missing, a sentence; empty when nothing is. */
  public Optional<String> remaining(RunOrder order) {
    long left = order.turns().stream().filter(turn -> !made.contains(turn)).distinct().count();
    return left == 0
        ? Optional.empty()
        : Optional.of(
            left
                + " of "
                + order.turns().stream().distinct().count()
                + " runs are not made yet, "
                + failures().size()
                + " of them were tried and failed: go on with --resume");
  }

  /** Whether a turn's group has been measured without Hadoop for this repetition. */
  public boolean hasLocal(PlannedRun turn) {
    return locals(turn.group()).stream().anyMatch(time -> time.repeat() == turn.repeat());
  }

  /** Adds a run, on disk first. */
  public void add(RecordedRun run) throws IOException {
    directory.keep(run);
    runs.computeIfAbsent(run.turn().group(), group -> new ArrayList<>()).add(run);
    made.add(run.turn());
    failedInRow.clear();
  }

  /** Adds what a group's commands took without Hadoop. */
  public void add(String group, LocalRunTime time) throws IOException {
    directory.keep(group, time);
    locals.computeIfAbsent(group, made -> new ArrayList<>()).add(time);
  }

  /**
   * Passes over a run that has failed until all others are made, and over its group, until the
   * series is gone on with, when several of it have failed one after another.
   *
   * @return whether its group is passed over from now on
   * @throws IOException when several have failed one after another, of more than one group, or that
   *     it failed cannot be kept
   */
  public boolean failed(PlannedRun turn, Exception reason) throws IOException {
    count(turn, reason);
    failures.merge(turn, 1, Integer::sum);
    failedInRow.add(turn);
    if (failedInRow.size() < MOST_IN_ROW) {
      return false;
    }
    if (failedInRow.stream().map(PlannedRun::group).distinct().count() > 1) {
      throw new IOException(
          failedInRow.size()
              + " runs have failed one after another, at last "
              + turn
              + ": "
              + reason.getMessage(),
          reason);
    }
    return givenUp.add(turn.group());
  }

  /** Keeps that a run failed, which tables tell, whatever follows from it. */
  void count(PlannedRun turn, Exception reason) throws IOException {
    FailedRun one = new FailedRun(turn, String.valueOf(reason.getMessage()));
    directory.keep(one);
    failed.computeIfAbsent(turn.group(), group -> new ArrayList<>()).add(one);
  }

  /** The runs that failed since it was opened, and were not made after that. */
  public List<PlannedRun> failures() {
    return failures.keySet().stream().filter(turn -> !made.contains(turn)).toList();
  }

  /** How many runs a session has made. */
  public long madeIn(Session session) {
    return runs.values().stream()
        .flatMap(List::stream)
        .filter(run -> run.notes().session() == session.number())
        .count();
  }
}
