package dev.weir.bench.comparison;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that withholds the declared sizes of files. */
public final class SizesOption {
  /** Name of the parameter of a series. */
  public static final String PARAMETER = "declared sizes";

  @Option(
      names = "--withhold-sizes",
      description =
          "Withhold the declared sizes of files: each counts as 1 MB, as in a Makeflow. Commands"
              + " take the place of stand-ins.")
  private boolean withheld;

  public boolean withheld() {
    return withheld;
  }

  /** Returns the value of the parameter; null if the sizes are declared. */
  public @Nullable String parameter() {
    return withheld ? "withheld" : null;
  }
}
