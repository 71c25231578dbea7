package dev.weir.bench.comparison;

import dev.weir.bench.series.SeriesParameters;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of experiments that compare setups on a local cluster. */
public final class ComparisonOptions extends ClusterOptions {
  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Repetitions of each (default: ${DEFAULT-VALUE}), including those of the" + " series.")
  private int repeat = 3;

  @Mixin private SizesOption sizes = new SizesOption();

  /**
   * Returns the parameters that all runs of a series share.
   *
   * @param own the parameters that the experiment adds
   * @throws IllegalArgumentException if there would be no runs; the message says what to write
   */
  public SeriesParameters parameters(SeriesParameters own, int nodes) {
    if (repeat < 1) {
      throw new IllegalArgumentException("--repeat is a number of repetitions: give 1 or more");
    }
    return own.withEnvironment()
        .with("nodes", nodes)
        .with("link", link())
        .with(SizesOption.PARAMETER, sizes.parameter());
  }

  /** Returns whether the sizes of files are withheld. */
  boolean withholdsSizes() {
    return sizes.withheld();
  }

  /** Returns the number of repetitions. */
  public int repeat() {
    return repeat;
  }
}
