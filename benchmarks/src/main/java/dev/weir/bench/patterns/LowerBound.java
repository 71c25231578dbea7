package dev.weir.bench.patterns;

/**
 * A lower bound of the time of any placement. It is computed from the busiest link at its measured
 * rate and from the time of the same commands without Hadoop on this machine. If the two overlap,
 * because no task waits until all data are written, it is the greater of both. Otherwise it is
 * their sum, which assumes that no task computes while another's file is transferred. If commands
 * take about as long as transfers, the sum is a yardstick rather than a bound; so tables show both.
 *
 * @param linkSeconds the least time that the busiest link needs, in seconds
 * @param localSeconds the time of the same commands without Hadoop, in seconds
 * @param overlap whether transfers and commands overlap
 */
record LowerBound(double linkSeconds, double localSeconds, boolean overlap) {

  /**
   * Returns the bound of an experiment with an optimal placement of all readers.
   *
   * @param bytesPerSecond the measured rate of a link
   */
  static LowerBound of(Experiment experiment, double bytesPerSecond, double localSeconds) {
    double nodes = experiment.nodes();
    long bytes = experiment.intermediate();
    double onLink =
        switch (experiment.pattern()) {
          case PIPELINE, REUSE, GATHER -> 0;
          // Into each link once; sending to the next node uses the other direction.
          case BROADCAST -> bytes;
          // Into one link; that node's own file is there already.
          case REDUCE -> bytes * experiment.parallelTasks() * (nodes - 1) / nodes;
          // Out of the writer's link, except for its own region.
          case SCATTER -> bytes * (nodes - 1) / nodes;
        };
    return new LowerBound(onLink / bytesPerSecond, localSeconds, overlaps(experiment));
  }

  /**
   * Returns whether transfers and commands overlap. In waves too, no reader of a broadcast computes
   * before it has the file.
   */
  static boolean overlaps(Experiment experiment) {
    return switch (experiment.variant()) {
      case PLAIN, CONCAT -> false;
      case WAVES -> experiment.pattern() != Pattern.BROADCAST;
      case SLOW_WRITER -> true;
    };
  }

  double seconds() {
    return overlap ? Math.max(linkSeconds, localSeconds) : linkSeconds + localSeconds;
  }
}
