package dev.weir.bench.series;

import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportWriter;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Makes the missing runs of a series one after another, and stores each immediately. Of each group
 * it also stores the timeline of the last repetition, for the analysis of its time. Not
 * thread-safe.
 *
 * @param <R> the type of the runs
 */
public final class RunLoop<R extends SeriesRun> {
  private final SeriesDirectory directory;
  private final RecordedSeries<R> kept;
  private final Results results;
  private final PrintWriter console;
  private final BooleanSupplier isEnding;

  @FunctionalInterface
  public interface Maker<R extends SeriesRun> {
    /**
     * Makes a run.
     *
     * @throws WrongResultException if its results are wrong; no further run is made
     * @throws IOException if it fails; the next run is made nevertheless, as after an unchecked
     *     exception
     */
    R make(PlannedRun planned) throws IOException, InterruptedException;
  }

  /** Writes tables and page. */
  @FunctionalInterface
  public interface Results {
    /**
     * Writes tables and page of all runs.
     *
     * @throws IOException if that fails
     */
    void write() throws IOException;
  }

  /**
   * Creates the loop of a series.
   *
   * @param results written after each complete repetition of a group, and at the end
   */
  public RunLoop(
      SeriesDirectory directory, RecordedSeries<R> kept, Results results, PrintWriter console) {
    this(directory, kept, results, console, () -> ShutdownHookManager.get().isShutdownInProgress());
  }

  /** Creates a loop with a check for a JVM shutdown, which stops the cluster. */
  RunLoop(
      SeriesDirectory directory,
      RecordedSeries<R> kept,
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
   * Makes missing runs until none is left or the time is over.
   *
   * @throws WrongResultException if results are wrong, with later failures as suppressed
   * @throws IOException if several runs of different groups fail in a row; the results so far are
   *     written in either case
   * @throws SeriesException if this JVM is shutting down, which then causes the failure
   */
  public void run(RunOrder order, TimeBudget budget, Maker<R> maker)
      throws IOException, InterruptedException {
    try {
      makeAll(order, budget, maker);
    } catch (IOException | InterruptedException | RuntimeException e) {
      // The cause must be reported even if the disk is full.
      writeAfterFailure(e, results);
      throw e;
    }
    results.write();
  }

  private void makeAll(RunOrder order, TimeBudget budget, Maker<R> maker)
      throws IOException, InterruptedException {
    Optional<PlannedRun> next = kept.next(order);
    while (next.isPresent() && !budget.isOver()) {
      PlannedRun planned = next.get();
      make(planned, maker);
      next = kept.next(order);
      if (next.isEmpty() || !isSameRepetition(planned, next.get())) {
        finish(planned);
      }
    }
  }

  private static boolean isSameRepetition(PlannedRun one, PlannedRun other) {
    return one.group().equals(other.group()) && one.repeat() == other.repeat();
  }

  private void make(PlannedRun planned, Maker<R> maker) throws IOException, InterruptedException {
    try {
      kept.add(maker.make(planned));
    } catch (WrongResultException e) {
      writeAfterFailure(e, () -> kept.storeFailure(planned, e));
      throw e;
    } catch (IOException e) {
      failed(planned, String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      // An unchecked exception in one run must not end a night of runs.
      failed(planned, e.toString(), e);
    }
  }

  /** Writes after a failure. If that fails too, it is reported, but the first failure is thrown. */
  private void writeAfterFailure(Exception reason, Results writing) {
    try {
      writing.write();
    } catch (IOException | RuntimeException e) {
      console.printf("  the results so far cannot be written either: %s%n", e);
      console.flush();
      reason.addSuppressed(e);
    }
  }

  private void failed(PlannedRun planned, String why, Exception reason) throws IOException {
    if (isEnding.getAsBoolean()) {
      throw new SeriesException(planned + " was interrupted; continue with --resume");
    }
    console.printf("  %s failed: %s%n", planned, why);
    if (kept.failed(planned, reason)) {
      console.printf("  %s is skipped: its last runs have all failed%n", planned.group());
    }
    console.flush();
  }

  /** Writes the results after a repetition, as far as its runs succeeded. */
  private void finish(PlannedRun last) throws IOException {
    List<RunRecord> records =
        kept.runs(last.group()).stream()
            .filter(run -> run.id().repeat() == last.repeat())
            .sorted(Comparator.comparing(run -> run.id().setup()))
            .flatMap(run -> run.timeline().stream())
            .toList();
    if (!records.isEmpty()) {
      ReportWriter.write(
          records.stream().map(ReportRun::of).toList(),
          directory.of(last.group()).resolve("report.html"));
    }
    results.write();
  }
}
