package dev.weir.hdfs.placement;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Decides where a block should go. Goals, in this order:
 *
 * <ul>
 *   <li>A lazy file is written with two replicas on two racks, a temporary one with one. HDFS
 *       creates the others when the file is closed. A file whose writer chose another replication
 *       is written eagerly. So are all files while HDFS has too many other copies to make.
 *   <li>A local file has its first replica with its writer, as in stock HDFS.
 *   <li>The replicas of a collocated file are on the anchors of its group. An eager file is written
 *       to them directly. The first replica of a lazy file stays with its writer, and the others,
 *       also those that HDFS makes later, go to the anchors. A group with a spread has several sets
 *       of anchors; the file's name determines its set.
 *   <li>The replicas of a file with named nodes are on the first of them that can take it.
 *   <li>The blocks of a region of a scattered file are together, see {@link ScatterPlanner}.
 * </ul>
 *
 * Whether a wanted node can take the block is decided by Hadoop's own rules. This class is a pure
 * function.
 */
public final class PlacementPlanner {
  /** How many sites are substitutes for anchors that cannot take the block. */
  static final int SUBSTITUTES = 8;

  private PlacementPlanner() {}

  public static <S extends Site> PlacementPlan<S> plan(Hint hint, PlacementView<S> view) {
    Placement placement = hint.placement().orElseGet(Placement.Spread::new);
    if (placement instanceof Placement.Collocate collocate) {
      return collocate(collocate, hint, view);
    }
    if (placement instanceof Placement.Local) {
      return withWriter(PlacementKind.LOCAL, hint, view);
    }
    if (placement instanceof Placement.Nodes nodes) {
      return namedNodes(nodes.hosts(), hint, view);
    }
    if (placement instanceof Placement.Scatter scatter) {
      return ScatterPlanner.plan(scatter.regionBytes(), targets(hint, view), view);
    }
    int requiredReplicas = hint.replication().map(PlacementPlanner::requiredReplicas).orElse(0);
    PlacementKind kind =
        requiredReplicas > 1 && placement instanceof Placement.Spread
            ? PlacementKind.BROADCAST
            : PlacementKind.OTHER;
    return new PlacementPlan<>(kind, targets(hint, view), requiredReplicas, List.of(), false);
  }

  /**
   * Further sites for a block for which stock HDFS found too few, in no particular order. Their
   * number is limited, so that only a small cluster is searched completely.
   */
  public static <S extends Site> List<S> fallbackSites(
      PlacementPlan<S> plan, PlacementView<S> view) {
    Sites<S> sites = view.sites();
    int max = Math.min(sites.size(), 2 * plan.targets() + SUBSTITUTES);
    // Starts at another site for each file to spread the load.
    int first = Math.floorMod(view.path().hashCode(), Math.max(1, sites.size()));
    List<S> fallbackSites = new ArrayList<>(max);
    for (int i = 0; i < max; i++) {
      fallbackSites.add(sites.get((first + i) % sites.size()));
    }
    return fallbackSites;
  }

  /**
   * How many replicas a lazy file has when its blocks are written.
   *
   * @param replicas how many it has in the end
   * @param minReplicas how many HDFS requires for a complete block
   */
  public static int lazyStart(Hint hint, int replicas, int minReplicas) {
    return Math.min(replicas, Math.max(hint.isTemporary() ? 1 : 2, minReplicas));
  }

  private static int requiredReplicas(Replication replication) {
    return replication.mode() == Replication.Mode.EAGER ? replication.target() : 0;
  }

  private static <S extends Site> PlacementPlan<S> collocate(
      Placement.Collocate collocate, Hint hint, PlacementView<S> view) {
    S writer = view.isNewBlock() && isLazy(hint, view) ? view.writer() : null;
    int targets = targets(hint, view);
    if (writer != null && targets == 1) {
      return withWriter(PlacementKind.COLLOCATE, hint, view);
    }
    int max = targets + view.chosen().size() + SUBSTITUTES;
    List<S> wanted =
        new ArrayList<>(
            Anchors.ofFile(collocate.group(), collocate.spread(), view.path(), view.sites(), max));
    wanted.removeAll(view.chosen());
    if (writer != null) {
      wanted.remove(writer);
      // The first two replicas are on two racks.
      wanted.sort(Comparator.comparing(anchor -> anchor.rack().equals(writer.rack())));
      wanted.add(0, writer);
    }
    return new PlacementPlan<>(PlacementKind.COLLOCATE, targets, 0, wanted, true);
  }

  private static <S extends Site> PlacementPlan<S> withWriter(
      PlacementKind kind, Hint hint, PlacementView<S> view) {
    S writer = view.writer();
    int targets = targets(hint, view);
    if (!view.isNewBlock()) {
      return new PlacementPlan<>(kind, targets, 0, List.of(), false);
    }
    return writer == null
        ? new PlacementPlan<>(
            kind, targets, 0, List.of(), false, List.of(RejectionReason.NO_WRITER))
        : new PlacementPlan<>(kind, targets, 0, List.of(writer), false);
  }

  /** A missing name counts only if a replica would have gone there. */
  private static <S extends Site> PlacementPlan<S> namedNodes(
      List<String> names, Hint hint, PlacementView<S> view) {
    int targets = targets(hint, view);
    int all = targets + view.chosen().size();
    SitesByName<S> known = view.sites().byName();
    List<S> wanted = new ArrayList<>();
    List<RejectionReason> reasons = new ArrayList<>();
    for (String name : names) {
      List<S> sites = known.find(name);
      if (sites.isEmpty() && wanted.size() < all) {
        reasons.add(RejectionReason.ABSENT);
      }
      wanted.addAll(sites);
    }
    // A DataNode may be named twice, by host and by host and port.
    wanted = new ArrayList<>(new LinkedHashSet<>(wanted));
    wanted.removeAll(view.chosen());
    return new PlacementPlan<>(PlacementKind.NODES, targets, 0, wanted, true, reasons);
  }

  private static int targets(Hint hint, PlacementView<?> view) {
    return view.isNewBlock() && isLazy(hint, view)
        ? lazyStart(hint, view.replicas(), view.minReplicas())
        : view.replicas();
  }

  /** A number that is neither the default nor the hint's was chosen by the writer. */
  private static boolean isLazy(Hint hint, PlacementView<?> view) {
    int replicas = view.replicas();
    return hint.isLazy()
        && !view.isBacklogged()
        && (replicas == view.defaultReplication() || replicas == TargetReplication.wanted(hint));
  }
}
