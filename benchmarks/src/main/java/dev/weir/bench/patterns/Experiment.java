package dev.weir.bench.patterns;

import java.util.ArrayList;
import java.util.List;

/**
 * One row of the table: a pattern with one size of files, on one cluster.
 *
 * @param variant how the tasks of a stage follow each other
 * @param scale factor of the published sizes
 * @param nodes the number of nodes
 * @param bytesPerSecond of each link
 * @param inARow the number of repetitions of a run
 */
record Experiment(
    Pattern pattern,
    PatternSize size,
    PatternVariant variant,
    double scale,
    int nodes,
    double bytesPerSecond,
    int inARow) {
  /** The nodes of the study: a scattered file has a region for each. */
  private static final int STUDY = 19;

  private static final int WAVES = 4;

  /** Creates an experiment with one repetition per run. */
  Experiment(
      Pattern pattern,
      PatternSize size,
      PatternVariant variant,
      double scale,
      int nodes,
      double bytesPerSecond) {
    this(pattern, size, variant, scale, nodes, bytesPerSecond, 1);
  }

  /** Returns the same experiment with several repetitions per run. */
  Experiment inARow(int repetitions) {
    return new Experiment(pattern, size, variant, scale, nodes, bytesPerSecond, repetitions);
  }

  PatternFileSizes sizes() {
    return pattern.sizes(size).scaled(scale);
  }

  /** Returns the bytes of a region of the file that is scattered or gathered. */
  long region() {
    return Math.max(1, sizes().intermediate() / STUDY);
  }

  /** Returns the bytes of the file that one task writes and others read, or of each such file. */
  long intermediate() {
    return pattern == Pattern.SCATTER || pattern == Pattern.GATHER
        ? region() * nodes
        : sizes().intermediate();
  }

  /** Returns the number of parallel tasks of a stage. */
  int parallelTasks() {
    return variant == PatternVariant.WAVES ? WAVES * nodes : nodes;
  }

  /** Returns another experiment on the same cluster. */
  Experiment of(Pattern otherPattern, PatternSize otherSize, PatternVariant otherVariant) {
    return new Experiment(
        otherPattern, otherSize, otherVariant, scale, nodes, bytesPerSecond, inARow);
  }

  /** Returns the name of the directory of its records. */
  String group() {
    return String.join("-", pattern.label(), size.label(), variant.label());
  }

  /** Returns all experiments on the same cluster, in the order of tables. */
  List<Experiment> all() {
    List<Experiment> all = new ArrayList<>();
    for (PatternSize otherSize : PatternSize.values()) {
      for (PatternVariant otherVariant : PatternVariant.values()) {
        for (Pattern otherPattern : Pattern.values()) {
          all.add(of(otherPattern, otherSize, otherVariant));
        }
      }
    }
    return all;
  }

  String label() {
    return pattern.label() + variant.title() + ", " + size.label();
  }
}
