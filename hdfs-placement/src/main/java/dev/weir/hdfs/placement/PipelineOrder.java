package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** Orders the targets of a block's write pipeline. */
public final class PipelineOrder {
  private PipelineOrder() {}

  /**
   * Goes from the writer to the nearest remaining target each time, as stock HDFS does; of equally
   * near targets, the first.
   *
   * @param start the writer's own DataNode; null to begin with the first target
   * @param nodeOf the DataNode of a target
   * @param distance the distance of two DataNodes
   */
  public static <T, N> List<T> nearestFirst(
      List<T> targets, @Nullable N start, Function<T, N> nodeOf, ToIntBiFunction<N, N> distance) {
    List<T> ordered = new ArrayList<>(targets);
    N from = start;
    for (int i = 0; i < ordered.size() - 1; i++) {
      if (from != null) {
        // Keeps the order of the others.
        ordered.add(i, ordered.remove(nearest(ordered, i, from, nodeOf, distance)));
      }
      from = nodeOf.apply(ordered.get(i));
    }
    return ordered;
  }

  private static <T, N> int nearest(
      List<T> targets, int begin, N from, Function<T, N> nodeOf, ToIntBiFunction<N, N> distance) {
    int best = begin;
    int bestDistance = Integer.MAX_VALUE;
    for (int i = begin; i < targets.size(); i++) {
      int there = distance.applyAsInt(from, nodeOf.apply(targets.get(i)));
      if (there < bestDistance) {
        best = i;
        bestDistance = there;
      }
    }
    return best;
  }
}
