package dev.weir.workflow.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How long it takes until all have a file who read it from each other: links of one file a second,
 * each shared by those that read over it; who reads from one that has not all of it yet gets it no
 * sooner than that one.
 */
final class ChainDuration {

  private ChainDuration() {}

  /**
   * Reckons it.
   *
   * @param sourceOf from whom each reads; 0 has the file
   * @return the seconds after which the last of them has it
   */
  static double of(Map<Integer, Integer> sourceOf) {
    Map<Integer, Double> had = new HashMap<>();
    sourceOf.keySet().forEach(reader -> had.put(reader, 0.0));
    double step = 0.001;
    double time = 0;
    while (had.values().stream().anyMatch(part -> part < 1)) {
      Map<Integer, Double> before = Map.copyOf(had);
      Map<Integer, Integer> busy = new HashMap<>();
      sourceOf.forEach(
          (reader, source) -> {
            if (at(before, reader) < 1) {
              busy.merge(source, 1, Integer::sum);
            }
          });
      sourceOf.forEach(
          (reader, source) -> {
            if (at(before, reader) < 1) {
              double there = source == 0 ? 1 : at(before, source);
              double more = step / at(busy, source);
              had.put(reader, Math.min(Math.min(1, there), at(before, reader) + more));
            }
          });
      time += step;
    }
    return time;
  }

  private static <V> V at(Map<Integer, V> map, int key) {
    return Objects.requireNonNull(map.get(key), () -> "nothing of " + key);
  }
}
