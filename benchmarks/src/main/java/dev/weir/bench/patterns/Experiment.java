package dev.weir.bench.patterns;

/**
 * One row of the table: a pattern with one size of files.
 *
 * @param waves whether there are four times as many tasks as nodes, each computing for 2 to 6
 *     seconds before it writes
 * @param scale factor of the published sizes
 */
record Experiment(Pattern pattern, PatternSize size, boolean waves, double scale) {

  Sizes sizes() {
    return pattern.sizes(size).scaled(scale);
  }

  String label() {
    return pattern.label() + (waves ? " in waves" : "") + ", " + size.label();
  }
}
