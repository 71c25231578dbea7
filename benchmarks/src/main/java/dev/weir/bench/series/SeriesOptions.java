package dev.weir.bench.series;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of series that are made in several sittings. */
public final class SeriesOptions {
  /** For the help of a command that has them. */
  public static final String SITTINGS =
      "A series may be made in several sittings: each run is kept as soon as it is made, and"
          + " --resume makes those that are missing.";

  @Option(
      names = "--resume",
      description =
          "Go on with the series in the directory of --out: what it has is not run again, and"
              + " tables, page and p-values are made of all of it. It has to be the same nodes,"
              + " links, scale and software; --repeat, and what is run, may be others.")
  private boolean resume;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Begin no further run after so many minutes, and leave what there is then; all first"
              + " repetitions are made first, then all second ones (default: until all are made).")
  private int minutes;

  @Option(
      names = "--run-minutes",
      paramLabel = "N",
      defaultValue = "30",
      description =
          "A run that takes longer is ended, and counts as failed (default: ${DEFAULT-VALUE}).")
  private int runMinutes = 30;

  /** For picocli. */
  public SeriesOptions() {}

  /** Whether a series that is there is gone on with. */
  public boolean resume() {
    return resume;
  }

  /**
   * How long runs may be begun, from now on.
   *
   * @throws IllegalArgumentException when that is no time; the message says what to write
   */
  public TimeBudget budget() {
    if (minutes < 0 || runMinutes < 1) {
      throw new IllegalArgumentException(
          "--minutes and --run-minutes are numbers of minutes: give more than 0");
    }
    return new TimeBudget(minutes, System::nanoTime);
  }

  /** How long one run may take. */
  public Duration runLimit() {
    return Duration.ofMinutes(runMinutes);
  }
}
