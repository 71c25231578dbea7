package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** The order in which a block passes through its targets. */
public final class PipelineOrder {
  private PipelineOrder() {}

  /**
   * From the writer always to the nearest target that is left, as stock HDFS does it; of targets
   * equally near, the one given first.
   *
   * @param targets the targets
   * @param start the writer's own DataNode; null for beginning with the first target
   * @param distance how far two DataNodes are from each other
   */
  public static <T> List<T> nearestFirst(
      List<T> targets, @Nullable T start, ToIntBiFunction<T, T> distance) {
    List<T> left = new ArrayList<>(targets);
    List<T> ordered = new ArrayList<>(targets.size());
    T from = start;
    while (!left.isEmpty()) {
      T next = from == null ? left.get(0) : nearest(left, from, distance);
      left.remove(next);
      ordered.add(next);
      from = next;
    }
    return ordered;
  }

  private static <T> T nearest(List<T> targets, T from, ToIntBiFunction<T, T> distance) {
    T best = targets.get(0);
    int bestDistance = distance.applyAsInt(from, best);
    for (T target : targets) {
      int there = distance.applyAsInt(from, target);
      if (there < bestDistance) {
        best = target;
        bestDistance = there;
      }
    }
    return best;
  }
}
