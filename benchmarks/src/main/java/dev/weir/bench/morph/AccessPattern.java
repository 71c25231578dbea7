package dev.weir.bench.morph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Which files a workload reads and writes. Immutable; the files are numbered from 0. */
final class AccessPattern {
  private final MorphWorkload workload;
  private final List<Double> popularity;

  /**
   * An operation.
   *
   * @param isWrite whether the file is written; otherwise all of it is read
   * @param file its number
   */
  record Operation(boolean isWrite, int file) {}

  private AccessPattern(MorphWorkload workload, List<Double> popularity) {
    this.workload = workload;
    this.popularity = List.copyOf(popularity);
  }

  /**
   * Creates the pattern of a workload: the k-th popular file is read in proportion to k to the
   * power of the negative exponent. Which file is the k-th is drawn.
   *
   * @param files the number of files, at least 1
   * @param seed of the draw
   */
  static AccessPattern of(MorphWorkload workload, int files, long seed) {
    List<Double> weights = new ArrayList<>();
    for (int rank = 1; rank <= files; rank++) {
      weights.add(Math.pow(rank, -workload.exponent()));
    }
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    weights.replaceAll(weight -> weight / sum);
    Collections.shuffle(weights, new Random(seed));
    return new AccessPattern(workload, weights);
  }

  MorphWorkload workload() {
    return workload;
  }

  int files() {
    return popularity.size();
  }

  /** Returns the share of all operations that read a file. */
  double readShare(int file) {
    return popularity.get(file) * (1 - workload.writeShare());
  }

  /** Returns the share of all operations that write a file, in writes of a whole file. */
  double writeShare() {
    return workload.writeShare() * workload.writtenPart() / files();
  }

  /** Returns a source of operations; the same seed gives the same ones. Not thread-safe. */
  Supplier<Operation> operations(long seed) {
    Random random = new Random(seed);
    return () ->
        random.nextDouble() < workload.writeShare()
            ? new Operation(true, random.nextInt(files()))
            : new Operation(false, fileAt(random.nextDouble()));
  }

  private int fileAt(double point) {
    double sum = 0;
    for (int file = 0; file < files() - 1; file++) {
      sum += popularity.get(file);
      if (point < sum) {
        return file;
      }
    }
    return files() - 1;
  }
}
