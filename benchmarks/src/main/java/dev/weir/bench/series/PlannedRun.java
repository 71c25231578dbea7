package dev.weir.bench.series;

/**
 * Identifies a run of a series, made or not.
 *
 * @param group the name of its directory
 * @param setup the label of its setup
 * @param repeat the repetition, from 1
 */
public record PlannedRun(String group, String setup, int repeat) {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if repetitions are not counted from 1
   */
  public PlannedRun {
    if (repeat < 1) {
      throw new IllegalArgumentException("Repetition " + repeat + ": count from 1");
    }
  }

  @Override
  public String toString() {
    return group + ", " + setup + ", " + repeat;
  }
}
