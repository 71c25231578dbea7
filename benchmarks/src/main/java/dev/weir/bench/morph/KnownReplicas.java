package dev.weir.bench.morph;

import dev.weir.service.auto.AutoFile;
import dev.weir.service.auto.ReplicaPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Replicas for a budget by a popularity that is known beforehand. All files have one size. */
final class KnownReplicas {
  /** So many that one copy's making costs nothing in comparison. */
  private static final double OPERATIONS = 1e6;

  private KnownReplicas() {}

  /**
   * Chooses in proportion to popularity alone, as Scarlett does: the next copy is for the file with
   * the most reads for each of its replicas. Writes do not count.
   *
   * @param budget the stored bytes divided by those of one replica of each file
   * @param max the most replicas of a file
   */
  static List<Integer> byPopularity(AccessPattern pattern, double budget, int max) {
    List<Integer> replicas = new ArrayList<>(Collections.nCopies(pattern.files(), 1));
    PriorityQueue<Integer> next =
        new PriorityQueue<>(
            (a, b) ->
                Double.compare(
                    pattern.readShare(b) / replicas.get(b),
                    pattern.readShare(a) / replicas.get(a)));
    IntStream.range(0, max > 1 ? pattern.files() : 0).forEach(next::add);
    for (long copies = copies(pattern, budget); copies > 0 && !next.isEmpty(); copies--) {
      int file = next.remove();
      replicas.set(file, replicas.get(file) + 1);
      if (replicas.get(file) < max) {
        next.add(file);
      }
    }
    return List.copyOf(replicas);
  }

  /** Chooses by utility, as the hint {@code auto} does. */
  static List<Integer> byUtility(AccessPattern pattern, double budget, int max) {
    List<AutoFile> files = new ArrayList<>();
    for (int file = 0; file < pattern.files(); file++) {
      files.add(
          new AutoFile(
              Integer.toString(file),
              file,
              1,
              pattern.readShare(file) * OPERATIONS,
              pattern.writeShare() * OPERATIONS,
              1,
              max,
              1,
              1));
    }
    return ReplicaPlan.of(files, copies(pattern, budget)).replicas();
  }

  /** Returns the copies beyond the first replicas. */
  private static long copies(AccessPattern pattern, double budget) {
    return Math.round(Math.floor((budget - 1) * pattern.files() + 1e-9));
  }
}
