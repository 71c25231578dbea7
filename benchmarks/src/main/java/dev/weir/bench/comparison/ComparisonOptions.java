package dev.weir.bench.comparison;

import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.cli.common.OptionSection;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of experiments that compare setups on a local cluster. */
@OptionSection(heading = "Cluster", options = "--nodes --link")
@OptionSection(heading = "Series", options = "--repeat --resume --minutes --run-minutes --out")
public final class ComparisonOptions extends ClusterOptions {
  private final List<Setup> others;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes besides the master (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--setups",
      paramLabel = "SETUP[,SETUP...]",
      description =
          "Of "
              + Setup.LABELS
              + ", and of systems without Hadoop those of the default (default:"
              + " ${DEFAULT-VALUE}).")
  private String setups;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Repetitions of each (default: ${DEFAULT-VALUE}), including those of the series.")
  private int repeat = 3;

  @Mixin private SizesOption sizes = new SizesOption();

  /**
   * Creates the options of an experiment.
   *
   * @param nodes the default number of nodes
   * @param setups the default setups
   * @param others the setups without Hadoop
   */
  public ComparisonOptions(int nodes, String setups, List<Setup> others) {
    this.nodes = nodes;
    this.setups = setups;
    this.others = List.copyOf(others);
  }

  public int nodes() {
    return nodes;
  }

  /**
   * Returns the setups.
   *
   * @throws IllegalArgumentException if one of them is unknown; the message lists all
   */
  public List<Setup> setups() {
    return Arrays.stream(setups.split(",", -1)).map(name -> Setup.parse(name, others)).toList();
  }

  /**
   * Returns the parameters that all runs of a series share.
   *
   * @param own the parameters that the experiment adds
   * @throws IllegalArgumentException if there would be no runs; the message says what to write
   */
  SeriesParameters parameters(SeriesParameters own) {
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
  int repeat() {
    return repeat;
  }
}
