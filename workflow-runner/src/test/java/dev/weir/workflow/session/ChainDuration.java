package dev.weir.workflow.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Computes how long it takes until all readers that read a file from each other have it. Links
 * transfer one file a second and are shared by their transfers. A reader that reads from an
 * incomplete copy gets the file no sooner than that copy is complete.
 */
final class ChainDuration {

  private ChainDuration() {}

  /**
   * Computes the duration.
   *
   * @param sourceOf the source of each reader; 0 has the file
   * @return the seconds after which the last reader has the file
   */
  static double secondsOf(Map<Integer, Integer> sourceOf) {
    Map<Integer, Double> had = new HashMap<>();
    sourceOf.keySet().forEach(reader -> had.put(reader, 0.0));
    double step = 0.001;
    double time = 0;
    while (had.values().stream().anyMatch(part -> part < 1)) {
      Map<Integer, Double> before = Map.copyOf(had);
      Map<Integer, Integer> busy = new HashMap<>();
      sourceOf.forEach(
          (reader, source) -> {
            if (valueOf(before, reader) < 1) {
              busy.merge(source, 1, Integer::sum);
            }
          });
      sourceOf.forEach(
          (reader, source) -> {
            if (valueOf(before, reader) < 1) {
              double there = source == 0 ? 1 : valueOf(before, source);
              double more = step / valueOf(busy, source);
              had.put(reader, Math.min(Math.min(1, there), valueOf(before, reader) + more));
            }
          });
      time += step;
    }
    return time;
  }

  private static <V> V valueOf(Map<Integer, V> map, int key) {
    return Objects.requireNonNull(map.get(key), () -> "nothing of " + key);
  }
}
