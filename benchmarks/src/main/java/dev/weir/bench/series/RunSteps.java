package dev.weir.bench.series;

/**
 * What a run took of the machine's time, step after step, in seconds.
 *
 * @param provide bringing the inputs to where the run finds them
 * @param rest waiting until the cluster had nothing else to do
 * @param run from the run's submission until its record was there
 * @param settle waiting until what it had begun was done
 * @param fetch bringing its results out, or looking at them
 * @param clean removing everything
 */
public record RunSteps(
    double provide, double rest, double run, double settle, double fetch, double clean) {
  /** Nothing is known. */
  public static final RunSteps NONE = new RunSteps(0, 0, 0, 0, 0, 0);

  /** The part of one of so many repetitions that a run had. */
  RunSteps share(int repetitions) {
    return new RunSteps(
        provide / repetitions,
        rest / repetitions,
        run / repetitions,
        settle / repetitions,
        fetch / repetitions,
        clean / repetitions);
  }

  /** Those of two repetitions together. */
  public RunSteps plus(RunSteps other) {
    return new RunSteps(
        provide + other.provide,
        rest + other.rest,
        run + other.run,
        settle + other.settle,
        fetch + other.fetch,
        clean + other.clean);
  }

  /** All of them together, in seconds. */
  public double whole() {
    return provide + rest + run + settle + fetch + clean;
  }
}
