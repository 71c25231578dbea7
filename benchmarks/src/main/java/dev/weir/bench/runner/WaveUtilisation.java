package dev.weir.bench.runner;

/**
 * The highest utilisation of workers of one core by tasks of equal length, without any overhead.
 * Tasks run in waves, of which the last ones cannot be full. Of each {@code width + 1} tasks the
 * last waits for the others.
 */
final class WaveUtilisation {

  private WaveUtilisation() {}

  /**
   * Returns the highest share of the workers' time in which tasks run. Tasks that others wait for
   * run first; free workers in the last wave of these run tasks whose predecessors were in earlier
   * waves.
   *
   * @param tasks at least 1
   * @param workers at least 1
   * @param width the number of tasks that another one waits for; 0 if none waits
   * @return at most 1
   */
  static double best(int tasks, int workers, int width) {
    int joins = width == 0 ? 0 : tasks / (width + 1);
    int parts = joins * width;
    int others = tasks - parts - joins;
    int waves = (parts + workers - 1) / workers;
    int freeSlots = waves * workers - parts;
    int joinable = joins == 0 ? 0 : Math.max(0, waves - 1) * workers / width;
    int filling = Math.min(freeSlots, others + Math.min(joins, joinable));
    int remaining = joins + others - filling;
    waves += (remaining + workers - 1) / workers;
    return (double) tasks / ((long) workers * waves);
  }
}
