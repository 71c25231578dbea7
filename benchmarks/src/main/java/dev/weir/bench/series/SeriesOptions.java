package dev.weir.bench.series;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of series that are made in several sessions. */
public final class SeriesOptions {
  /** The text for the help of a command with these options. */
  public static final String HELP =
      "A series may be made in several sessions: each run is stored immediately, and"
          + " --resume makes the missing ones.";

  @Option(
      names = "--resume",
      description =
          "Continue the series in the directory of --out: its runs are not repeated, and"
              + " tables, page and p-values include all of them. Nodes, links, scale and"
              + " commit must be the same; --repeat and what is run may differ.")
  private boolean resume;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Start no further run after this many minutes. All first repetitions are made first,"
              + " then all second ones (default: until all are made).")
  private int minutes;

  @Option(
      names = "--run-minutes",
      paramLabel = "N",
      defaultValue = "30",
      description =
          "A run that takes longer is killed and counts as failed (default: ${DEFAULT-VALUE}).")
  private int runMinutes = 30;

  public boolean resume() {
    return resume;
  }

  /**
   * Returns how long runs may start, from now on.
   *
   * @throws IllegalArgumentException if the option is not a time; the message says what to write
   */
  public TimeBudget budget() {
    if (minutes < 0 || runMinutes < 1) {
      throw new IllegalArgumentException(
          "--minutes and --run-minutes are numbers of minutes: give more than 0");
    }
    return new TimeBudget(minutes, System::nanoTime);
  }

  public Duration runLimit() {
    return Duration.ofMinutes(runMinutes);
  }
}
