package dev.weir.hdfs.placement;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides where a block is wanted. Goals, in this order:
 *
 * <ul>
 *   <li>A lazy file gets as few replicas in the write as HDFS allows; HDFS raises the others by
 *       itself when the file is closed.
 *   <li>A local file has its first replica with its writer, as stock HDFS does it.
 *   <li>The replicas of a collocated file are on the anchors of its group. An eager one is written
 *       through to them. The first replica of a lazy one stays with its writer, which commits at
 *       the speed of its disk, and the copies that HDFS makes afterwards go to the anchors.
 * </ul>
 *
 * Whether a wanted node can take the block is for Hadoop's own rules to say. Pure.
 */
public final class Planner {
  /** How many sites stand in for anchors that cannot take the block. */
  private static final int SPARE = 8;

  private Planner() {}

  /** What is wanted for a block that the hint is for. */
  public static <S extends Site> Plan<S> plan(Hint hint, PlacementView<S> view) {
    Placement placement = hint.placement().orElseGet(Placement.Spread::new);
    if (placement instanceof Placement.Collocate collocate) {
      return collocate(collocate.group(), hint, view);
    }
    if (placement instanceof Placement.Local) {
      return withWriter(Kind.LOCAL, hint, view);
    }
    int copies = hint.replication().map(Planner::copies).orElse(0);
    Kind kind = copies > 1 && placement instanceof Placement.Spread ? Kind.BROADCAST : Kind.OTHER;
    return new Plan<>(kind, targets(hint, view), copies, List.of(), false);
  }

  private static int copies(Replication replication) {
    return replication.mode() == Replication.Mode.EAGER ? replication.target() : 0;
  }

  private static <S extends Site> Plan<S> collocate(
      String group, Hint hint, PlacementView<S> view) {
    if (view.isNewBlock() && hint.isLazy() && view.writer() != null) {
      return withWriter(Kind.COLLOCATE, hint, view);
    }
    int targets = targets(hint, view);
    int most = targets + view.chosen().size() + SPARE;
    List<S> wanted = new ArrayList<>(Anchors.of(group, view.sites(), most));
    wanted.removeAll(view.chosen());
    return new Plan<>(Kind.COLLOCATE, targets, 0, wanted, true);
  }

  private static <S extends Site> Plan<S> withWriter(Kind kind, Hint hint, PlacementView<S> view) {
    S writer = view.writer();
    boolean isWanted = view.isNewBlock() && writer != null;
    List<S> wanted = isWanted ? List.of(writer) : List.of();
    return new Plan<>(kind, targets(hint, view), 0, wanted, false);
  }

  private static int targets(Hint hint, PlacementView<?> view) {
    if (!view.isNewBlock() || !hint.isLazy()) {
      return view.replicas();
    }
    return Math.min(view.replicas(), Math.max(1, view.minReplicas()));
  }
}
