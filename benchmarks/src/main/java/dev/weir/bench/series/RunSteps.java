package dev.weir.bench.series;

/**
 * The durations of the steps of a run, in seconds.
 *
 * @param provide the upload of the inputs
 * @param rest the wait until the cluster was idle
 * @param run from the run's submission until its record existed
 * @param settle the wait until background work of the run was done
 * @param fetch the download or check of its results
 * @param clean the removal of all files
 */
public record RunSteps(
    double provide, double rest, double run, double settle, double fetch, double clean) {
  public static final RunSteps NONE = new RunSteps(0, 0, 0, 0, 0, 0);

  RunSteps share(int repetitions) {
    return new RunSteps(
        provide / repetitions,
        rest / repetitions,
        run / repetitions,
        settle / repetitions,
        fetch / repetitions,
        clean / repetitions);
  }

  /** Returns the sums with another repetition. */
  public RunSteps plus(RunSteps other) {
    return new RunSteps(
        provide + other.provide,
        rest + other.rest,
        run + other.run,
        settle + other.settle,
        fetch + other.fetch,
        clean + other.clean);
  }

  /** Returns the total, in seconds. */
  public double whole() {
    return provide + rest + run + settle + fetch + clean;
  }
}
