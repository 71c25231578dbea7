package dev.weir.bench.patterns;

/**
 * The time that no placement can beat: what goes over the most loaded link at its rate, and what
 * the machine takes for the same commands without Hadoop.
 */
final class Bound {
  private Bound() {}

  /**
   * Seconds that the most loaded link is busy, when every reader of a file is put where it is best.
   *
   * @param nodes how many there are
   * @param bytesPerSecond of each link
   */
  static double linkSeconds(Experiment experiment, int nodes, double bytesPerSecond) {
    long bytes = experiment.sizes().intermediate();
    double onLink =
        switch (experiment.pattern()) {
          case PIPELINE, REUSE -> 0;
          // Into each link once, while it goes out to the next.
          case BROADCAST -> bytes;
          // Into one link; what that node makes itself is there already.
          case REDUCE ->
              (double) bytes * PatternWorkflow.side(experiment, nodes) * (nodes - 1) / nodes;
        };
    return onLink / bytesPerSecond;
  }
}
