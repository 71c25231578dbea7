package dev.weir.bench.series;

import picocli.CommandLine.Option;

/** The options of series that are made in several sittings. */
public final class SeriesOptions {
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

  /** For picocli. */
  public SeriesOptions() {}

  /** Whether a series that is there is gone on with. */
  public boolean resume() {
    return resume;
  }

  /** How long runs may be begun, from now on. */
  public Budget budget() {
    return new Budget(minutes, System::nanoTime);
  }
}
