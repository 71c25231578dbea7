package dev.weir.bench.patterns;

/**
 * The sizes of a pattern's files, in bytes.
 *
 * @param input each input of the workflow
 * @param intermediate each file that one task writes and another reads
 * @param output each file that remains at the end
 */
record PatternFileSizes(long input, long intermediate, long output) {
  /** Returns all sizes times a factor, at least one byte each. */
  PatternFileSizes scaled(double factor) {
    return new PatternFileSizes(
        scaled(input, factor), scaled(intermediate, factor), scaled(output, factor));
  }

  private static long scaled(long bytes, double factor) {
    return Math.max(1, Math.round(bytes * factor));
  }
}
