package dev.weir.bench.runner;

/**
 * How busy tasks of equal length can keep workers of one core, if nothing but the tasks took any
 * time: they come in waves, of which the last ones cannot be full. Of each {@code width + 1} tasks
 * the last waits for the others.
 */
final class WaveUtilisation {

  private WaveUtilisation() {}

  /**
   * The largest share of the workers' time in which tasks can run from the beginning of a run to
   * its end. Tasks that another waits for had best come first; what room there is in the last wave
   * of these is for those that wait for earlier waves alone.
   *
   * @param tasks at least 1
   * @param workers at least 1
   * @param width how many tasks another one waits for; 0 when none waits
   * @return at most 1
   */
  static double best(int tasks, int workers, int width) {
    int joins = width == 0 ? 0 : tasks / (width + 1);
    int parts = joins * width;
    int others = tasks - parts - joins;
    int waves = (parts + workers - 1) / workers;
    int room = waves * workers - parts;
    int joinable = joins == 0 ? 0 : Math.max(0, waves - 1) * workers / width;
    int beside = Math.min(room, others + Math.min(joins, joinable));
    int after = joins + others - beside;
    waves += (after + workers - 1) / workers;
    return (double) tasks / ((long) workers * waves);
  }
}
