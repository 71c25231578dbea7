package dev.weir.bench.series;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a series has, in memory and on disk, and what is to be made next. Not for several threads at
 * once.
 */
public final class KeptSeries {
  /** A machine on which so many fail one after another has a fault that the next would meet too. */
  private static final int MOST_IN_ROW = 3;

  private final SeriesDirectory directory;
  private final Map<String, List<KeptRun>> runs = new TreeMap<>();
  private final Map<String, List<LocalTime>> locals = new TreeMap<>();
  private final Set<Turn> made = new HashSet<>();
  private final List<Turn> failed = new ArrayList<>();
  private int failedInRow;

  /**
   * Reads what there is.
   *
   * @param groups what there can be
   * @throws IOException when a file cannot be read
   */
  public KeptSeries(SeriesDirectory directory, List<String> groups) throws IOException {
    this.directory = directory;
    for (String group : groups) {
      List<KeptRun> kept = directory.runs(group);
      if (!kept.isEmpty()) {
        runs.put(group, new ArrayList<>(kept));
        kept.forEach(run -> made.add(run.turn()));
      }
      List<LocalTime> times = directory.locals(group);
      if (!times.isEmpty()) {
        locals.put(group, new ArrayList<>(times));
      }
    }
  }

  /** The runs of a group, in no order. */
  public List<KeptRun> runs(String group) {
    return List.copyOf(runs.getOrDefault(group, List.of()));
  }

  /** What a group's commands took without Hadoop, in no order. */
  public List<LocalTime> locals(String group) {
    return List.copyOf(locals.getOrDefault(group, List.of()));
  }

  /** What is to be made next; empty when all is there, or was tried in vain. */
  public Optional<Turn> next(TurnOrder order) {
    return order.next(turn -> made.contains(turn) || failed.contains(turn));
  }

  /** What is missing, a sentence; empty when nothing is. */
  public Optional<String> remaining(TurnOrder order) {
    long left = order.turns().stream().filter(turn -> !made.contains(turn)).count();
    return left == 0
        ? Optional.empty()
        : Optional.of(
            left
                + " of "
                + order.turns().size()
                + " runs are not made yet, "
                + failed.size()
                + " of them were tried and failed: go on with --resume");
  }

  /** Whether a turn's group has been measured without Hadoop for this repetition. */
  public boolean hasLocal(Turn turn) {
    return locals(turn.group()).stream().anyMatch(time -> time.repeat() == turn.repeat());
  }

  /** Adds a run, on disk first. */
  public void add(KeptRun run) throws IOException {
    directory.keep(run);
    runs.computeIfAbsent(run.turn().group(), group -> new ArrayList<>()).add(run);
    made.add(run.turn());
    failedInRow = 0;
  }

  /** Adds what a group's commands took without Hadoop. */
  public void add(String group, LocalTime time) throws IOException {
    directory.keep(group, time);
    locals.computeIfAbsent(group, made -> new ArrayList<>()).add(time);
  }

  /**
   * Passes over a run that has failed until the series is gone on with.
   *
   * @throws IOException when others before it have failed as well
   */
  public void failed(Turn turn, IOException reason) throws IOException {
    failed.add(turn);
    failedInRow++;
    if (failedInRow >= MOST_IN_ROW) {
      throw new IOException(
          failedInRow
              + " runs have failed one after another, at last "
              + turn
              + ": "
              + reason.getMessage(),
          reason);
    }
  }

  /** The runs that failed since it was opened. */
  public List<Turn> failures() {
    return List.copyOf(failed);
  }

  /** How many runs a session has made. */
  public long madeIn(Session session) {
    return runs.values().stream()
        .flatMap(List::stream)
        .filter(run -> run.notes().session() == session.number())
        .count();
  }
}
