package dev.weir.bench.series;

/**
 * A run that a series has or is to have.
 *
 * @param group what is run, the name of a directory
 * @param setup how, by its label
 * @param repeat which repetition it is, from 1
 */
public record PlannedRun(String group, String setup, int repeat) {
  /**
   * Checks.
   *
   * @throws IllegalArgumentException when repetitions are not counted from 1
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
