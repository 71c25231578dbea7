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
 * How the runner's own number of replicas of the database compares with the best of those that it
 * was told.
 *
 * @param part of the runs
 * @param best label of the number with which it is the shortest
 * @param versus the own choice's times, as theirs, against those
 */
record AutomaticReplicas(String part, String best, TimingComparison versus) {
  /** What the runner's own choice is called. */
  private static final String OWN = "auto";

  /** How much longer than the best number the own choice may take. */
  private static final double WITHIN = 1.05;

  /** Empty where the own choice or all numbers were not run. */
  static Optional<AutomaticReplicas> of(Map<String, List<BlastSample>> samples, String part) {
    ToDoubleFunction<BlastSample> time = Objects.requireNonNull(BlastTable.parts().get(part));
    List<BlastSample> own = samples.getOrDefault(OWN, List.of());
    if (own.isEmpty()) {
      return Optional.empty();
    }
    return samples.entrySet().stream()
        .filter(one -> !one.getKey().equals(OWN) && ReplicaSetting.ofLabel(one.getKey()).hinted())
        .min(Comparator.comparingDouble(one -> BlastTable.figures(one.getValue(), time).mean()))
        .map(
            one ->
                new AutomaticReplicas(
                    part,
                    one.getKey(),
                    new TimingComparison(
                        BlastTable.figures(own, time), BlastTable.figures(one.getValue(), time))));
  }

  /** Whether it is as good as the best number, or nearly. */
  boolean isGood() {
    return versus.ratio() <= WITHIN;
  }

  /** A sentence. */
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
