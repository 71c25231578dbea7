package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.report.ReportWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Makes the runs that a series does not have yet, one after another, and keeps each as soon as it
 * is made, and of each group the lanes of the last repetition, in which one sees what took its
 * time. Not for several threads at once.
 */
public final class RunLoop {
  private final SeriesDirectory directory;
  private final RecordedSeries kept;
  private final Results results;
  private final PrintWriter console;
  private final BooleanSupplier isEnding;

  /** Makes a run. */
  @FunctionalInterface
  public interface Maker {
    /**
     * Makes a run.
     *
     * @throws WrongResultException when its results are wrong: nothing else is run then
     * @throws IOException when it fails: the next is made all the same, and so it is after an
     *     unchecked exception
     */
    RecordedRun make(PlannedRun turn) throws IOException, InterruptedException;
  }

  /** Tables and page of what there is. */
  @FunctionalInterface
  public interface Results {
    /**
     * Writes them anew.
     *
     * @throws IOException when that fails
     */
    void write() throws IOException;
  }

  /**
   * Of a series.
   *
   * @param results are written whenever a repetition of a group is whole, and in the end
   * @param console is told of what fails
   */
  public RunLoop(
      SeriesDirectory directory, RecordedSeries kept, Results results, PrintWriter console) {
    this(directory, kept, results, console, () -> ShutdownHookManager.get().isShutdownInProgress());
  }

  /** With what tells whether this JVM is ending, and has taken the cluster down. */
  RunLoop(
      SeriesDirectory directory,
      RecordedSeries kept,
      Results results,
      PrintWriter console,
      BooleanSupplier isEnding) {
    this.directory = directory;
    this.kept = kept;
    this.results = results;
    this.console = console;
    this.isEnding = isEnding;
  }

  /**
   * Runs what is missing until there is nothing left or the time is over.
   *
   * @throws WrongResultException when results are wrong, with what then failed besides as
   *     suppressed
   * @throws IOException when several runs of different groups fail one after another; here as there
   *     what there is was written
   * @throws SeriesException when this JVM is ending: what then fails is no failure of a run
   */
  public void run(RunOrder order, TimeBudget budget, Maker maker)
      throws IOException, InterruptedException {
    try {
      makeAll(order, budget, maker);
    } catch (IOException | InterruptedException | RuntimeException e) {
      // What ended it is to be known, also where the disk is full.
      besides(e, results);
      throw e;
    }
    results.write();
  }

  private void makeAll(RunOrder order, TimeBudget budget, Maker maker)
      throws IOException, InterruptedException {
    Optional<PlannedRun> next = kept.next(order);
    while (next.isPresent() && !budget.isOver()) {
      PlannedRun turn = next.get();
      make(turn, maker);
      next = kept.next(order);
      if (next.isEmpty() || !isSameRepetition(turn, next.get())) {
        finish(turn);
      }
    }
  }

  private static boolean isSameRepetition(PlannedRun one, PlannedRun other) {
    return one.group().equals(other.group()) && one.repeat() == other.repeat();
  }

  private void make(PlannedRun turn, Maker maker) throws IOException, InterruptedException {
    try {
      kept.add(maker.make(turn));
    } catch (WrongResultException e) {
      besides(e, () -> kept.count(turn, e));
      throw e;
    } catch (IOException e) {
      failed(turn, String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      // Of Hadoop or of ours: the runs of a night are not to be lost by one that it meets.
      failed(turn, e.toString(), e);
    }
  }

  /** Writes something because of a failure; if that fails too it is told, and counts for less. */
  private void besides(Exception reason, Results writing) {
    try {
      writing.write();
    } catch (IOException | RuntimeException e) {
      console.printf("  besides, what was to be kept cannot be written: %s%n", e);
      console.flush();
      reason.addSuppressed(e);
    }
  }

  private void failed(PlannedRun turn, String why, Exception reason) throws IOException {
    if (isEnding.getAsBoolean()) {
      throw new SeriesException(turn + " was broken off; --resume goes on");
    }
    console.printf("  %s failed: %s%n", turn, why);
    if (kept.failed(turn, reason)) {
      console.printf("  %s is passed over: its last runs have all failed%n", turn.group());
    }
    console.flush();
  }

  /** What there is of a repetition, as far as runs did not fail. */
  private void finish(PlannedRun last) throws IOException {
    List<RunRecord> records =
        kept.runs(last.group()).stream()
            .filter(run -> run.turn().repeat() == last.repeat())
            .sorted(
                Comparator.comparing(RecordedRun::turn, Comparator.comparing(PlannedRun::setup)))
            .map(RecordedRun::record)
            .toList();
    if (!records.isEmpty()) {
      ReportWriter.write(records, directory.of(last.group()).resolve("report.html"));
    }
    results.write();
  }
}
