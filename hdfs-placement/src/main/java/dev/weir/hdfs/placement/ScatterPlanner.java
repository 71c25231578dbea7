package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Decides where a block of a scattered file should go. Goals, in this order:
 *
 * <ul>
 *   <li>All blocks of a region and their further replicas are on the same nodes.
 *   <li>Successive regions are on different nodes, and the regions are evenly distributed: they go
 *       round robin over the eligible nodes in the rendezvous order of the file's name. A node that
 *       fills up while the file is written is skipped from then on.
 *   <li>The second replica is on another rack than the first.
 * </ul>
 *
 * A copy that HDFS makes later goes where the write would have put it. This follows from the node
 * that has the block, so the block's index in its file is not needed. This class is a pure
 * function.
 */
final class ScatterPlanner {
  private ScatterPlanner() {}

  static <S extends Site> PlacementPlan<S> plan(
      long regionBytes, int targets, PlacementView<S> view) {
    if (!view.isNewBlock()) {
      return copies(targets, view);
    }
    OptionalInt index = view.blockIndex();
    if (index.isEmpty()) {
      return new PlacementPlan<>(
          PlacementKind.SCATTER, targets, 0, List.of(), false, List.of(RejectionReason.NO_INDEX));
    }
    long region = region(index.getAsInt(), view.blockSize(), regionBytes);
    return new PlacementPlan<>(
        PlacementKind.SCATTER,
        targets,
        0,
        ringFrom(new ScatterRing<>(view), region, targets),
        true);
  }

  /**
   * The region in which a block begins. If regions are smaller than a block, each block counts as
   * one.
   */
  static long region(int block, long blockSize, long regionBytes) {
    return blockSize >= regionBytes ? block : block * blockSize / regionBytes;
  }

  private static <S extends Site> PlacementPlan<S> copies(int targets, PlacementView<S> view) {
    ScatterRing<S> ring = new ScatterRing<>(view);
    // Independent of the order of the holders, so that all blocks with the same holders get the
    // same result.
    int holder = ring.firstHolder();
    int all = targets + view.chosen().size();
    List<S> wanted = holder < 0 ? new ArrayList<>() : ringFrom(ring, holder, all);
    wanted.removeAll(view.chosen());
    return new PlacementPlan<>(PlacementKind.SCATTER, targets, 0, wanted, true);
  }

  /** The ring from one node on, with the next node on another rack moved to the second position. */
  private static <S extends Site> List<S> ringFrom(ScatterRing<S> ring, long start, int targets) {
    int max = targets + PlacementPlanner.SUBSTITUTES;
    List<S> wanted = new ArrayList<>(max);
    for (int i = 0; i < max && (ring.has(start + i) || i < ring.size()); i++) {
      wanted.add(ring.get(start + i));
    }
    for (int i = 1; !wanted.isEmpty() && (ring.has(start + i) || i < ring.size()); i++) {
      S site = ring.get(start + i);
      if (!site.rack().equals(wanted.get(0).rack())) {
        wanted.remove(site);
        wanted.add(1, site);
        break;
      }
    }
    return wanted;
  }
}
