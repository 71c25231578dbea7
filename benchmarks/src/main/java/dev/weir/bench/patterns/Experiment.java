package dev.weir.bench.patterns;

/**
 * One row of the table: a pattern with one size of files, on one cluster.
 *
 * @param variant how tasks follow each other
 * @param scale factor of the published sizes
 * @param nodes how many nodes there are
 * @param bytesPerSecond of each link
 * @param inARow how many repetitions a run has
 */
record Experiment(
    Pattern pattern,
    PatternSize size,
    PatternVariant variant,
    double scale,
    int nodes,
    double bytesPerSecond,
    int inARow) {
  /** Nodes of the study: a scattered file has a region for each. */
  private static final int STUDY = 19;

  private static final int WAVES = 4;

  /** With one repetition in a run. */
  Experiment(
      Pattern pattern,
      PatternSize size,
      PatternVariant variant,
      double scale,
      int nodes,
      double bytesPerSecond) {
    this(pattern, size, variant, scale, nodes, bytesPerSecond, 1);
  }

  /** The same with several repetitions in a run. */
  Experiment inARow(int repetitions) {
    return new Experiment(pattern, size, variant, scale, nodes, bytesPerSecond, repetitions);
  }

  PatternFileSizes sizes() {
    return pattern.sizes(size).scaled(scale);
  }

  /** Bytes of a region of the file that is scattered or gathered. */
  long region() {
    return Math.max(1, sizes().intermediate() / STUDY);
  }

  /**
   * Bytes of the file that one task writes and others read; those of a file where there are many.
   */
  long intermediate() {
    return pattern == Pattern.SCATTER || pattern == Pattern.GATHER
        ? region() * nodes
        : sizes().intermediate();
  }

  /** How many tasks of a stage are side by side. */
  int side() {
    return variant == PatternVariant.WAVES ? WAVES * nodes : nodes;
  }

  /** Another one on the same cluster. */
  Experiment of(Pattern otherPattern, PatternSize otherSize, PatternVariant otherVariant) {
    return new Experiment(
        otherPattern, otherSize, otherVariant, scale, nodes, bytesPerSecond, inARow);
  }

  String label() {
    return pattern.label() + variant.title() + ", " + size.label();
  }
}
