package dev.weir.bench.patterns;

/**
 * The time that no placement can beat: what goes over the most loaded link at its measured rate,
 * and what the machine takes for the same commands without Hadoop. Where these overlap, because
 * nothing has to wait until all is written, it is the longer of the two; else their sum, in which
 * no task computes while the file of another is under way. Where commands take as long as links
 * that sum is a yardstick rather than a limit, which is why both are told.
 *
 * @param linkSeconds how long the most loaded link is busy at least, in seconds
 * @param localSeconds what the machine takes for the same commands without Hadoop, in seconds
 * @param overlap whether the link is busy while commands run
 */
record LowerBound(double linkSeconds, double localSeconds, boolean overlap) {

  /**
   * Of an experiment, when every reader of a file is put where it is best.
   *
   * @param bytesPerSecond what a link has been seen to carry
   */
  static LowerBound of(Experiment experiment, double bytesPerSecond, double localSeconds) {
    double nodes = experiment.nodes();
    long bytes = experiment.intermediate();
    double onLink =
        switch (experiment.pattern()) {
          case PIPELINE, REUSE, GATHER -> 0;
          // Into each link once, while it goes out to the next.
          case BROADCAST -> bytes;
          // Into one link; what that node makes itself is there already.
          case REDUCE -> bytes * experiment.side() * (nodes - 1) / nodes;
          // Out of the writer's link, but for its own region.
          case SCATTER -> bytes * (nodes - 1) / nodes;
        };
    return new LowerBound(onLink / bytesPerSecond, localSeconds, overlaps(experiment));
  }

  /** In waves, too, no reader of a broadcast computes before it has the file. */
  private static boolean overlaps(Experiment experiment) {
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
