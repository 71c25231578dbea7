package dev.weir.bench.blast;

import dev.weir.bench.report.TimingComparison;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Compares the runner's own number of replicas of the database with the best given number.
 *
 * @param part of the runs
 * @param best label of the number with the shortest time
 * @param versus the times of the own choice against those of the best number
 */
record AutomaticReplicas(String part, String best, TimingComparison versus) {
  /** The label of the runner's own choice. */
  private static final String OWN = "auto";

  /** The greatest accepted ratio of the own choice to the best number. */
  private static final double MAX_RATIO = 1.05;

  /** Returns the comparison; empty if the own choice or all numbers were not run. */
  static Optional<AutomaticReplicas> of(Map<String, List<BlastSample>> samples, String part) {
    ToDoubleFunction<BlastSample> time = Objects.requireNonNull(BlastTable.parts().get(part));
    List<BlastSample> own = samples.getOrDefault(OWN, List.of());
    if (own.isEmpty()) {
      return Optional.empty();
    }
    return samples.entrySet().stream()
        .filter(
            entry -> !entry.getKey().equals(OWN) && ReplicaSetting.ofLabel(entry.getKey()).hinted())
        .min(Comparator.comparingDouble(entry -> BlastTable.figures(entry.getValue(), time).mean()))
        .map(
            entry ->
                new AutomaticReplicas(
                    part,
                    entry.getKey(),
                    new TimingComparison(
                        BlastTable.figures(own, time),
                        BlastTable.figures(entry.getValue(), time))));
  }

  /** Returns whether the own choice is about as good as the best number. */
  boolean isGood() {
    return versus.ratio() <= MAX_RATIO;
  }

  /** Returns the comparison as a sentence. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%s: auto ÷ the best number (%s) %s, %swithin 5 %%.",
        part,
        best,
        versus.text(),
        isGood() ? "" : "not ");
  }
}
