package dev.weir.bench.patterns;

/**
 * The sizes of a pattern's files, in bytes.
 *
 * @param input each input of the workflow
 * @param intermediate each file that one task writes and another reads
 * @param output each file that remains at the end
 */
record PatternFileSizes(long input, long intermediate, long output) {
  private static final long KB = 1_000;
  private static final long MB = 1_000_000;

  static PatternFileSizes ofKilobytes(long input, long intermediate, long output) {
    return new PatternFileSizes(input * KB, intermediate * KB, output * KB);
  }

  static PatternFileSizes ofMegabytes(long input, long intermediate, long output) {
    return new PatternFileSizes(input * MB, intermediate * MB, output * MB);
  }

  /** Returns all sizes times a factor, at least one byte each. */
  PatternFileSizes scaled(double factor) {
    return new PatternFileSizes(
        scaled(input, factor), scaled(intermediate, factor), scaled(output, factor));
  }

  private static long scaled(long bytes, double factor) {
    return Math.max(1, Math.round(bytes * factor));
  }
}
