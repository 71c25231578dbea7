package dev.weir.hdfs.placement;

import java.util.Collection;
import java.util.List;

/**
 * What is wanted for one block.
 *
 * @param kind what the hint asks for
 * @param targets how many replicas to place now
 * @param enough how many replicas satisfy the hint; 0 when the number does not matter
 * @param wanted the sites wanted, best first; those beyond {@code targets} stand in for others
 * @param directed whether the replicas are to be put on those sites one by one; if not, stock HDFS
 *     finds them by itself
 * @param reasons why the plan is less than the hint asks for, one for each thing that is missing
 */
public record PlacementPlan<S extends Site>(
    PlacementKind kind, int targets, int enough, List<S> wanted, boolean directed, List<RejectionReason> reasons) {

  /** Copies the lists. */
  public PlacementPlan {
    wanted = List.copyOf(wanted);
    reasons = List.copyOf(reasons);
  }

  /** A plan that is all that the hint asks for. */
  public PlacementPlan(PlacementKind kind, int targets, int enough, List<S> wanted, boolean directed) {
    this(kind, targets, enough, wanted, directed, List.of());
  }

  /** Whether stock HDFS would be asked for the same. */
  public boolean isStock(int asked) {
    return !directed && targets == asked;
  }

  /** Whether a file that is wanted on many nodes has fewer than it asks for, and than are asked. */
  public boolean lacks(int placed) {
    return kind == PlacementKind.BROADCAST && placed < Math.min(targets, enough);
  }

  /** The sites that the replicas placed now are wanted on. */
  public List<S> best() {
    return wanted.subList(0, Math.min(targets, wanted.size()));
  }

  /**
   * How far the plan was kept to.
   *
   * @param asked how many replicas HDFS asked for
   * @param placed where the replicas went
   */
  public PlacementOutcome judge(int asked, Collection<S> placed) {
    if (kind == PlacementKind.BROADCAST) {
      if (asked < enough) {
        return PlacementOutcome.STOCK;
      }
      return placed.size() >= enough ? PlacementOutcome.HONOURED : PlacementOutcome.PARTLY;
    }
    if (wanted.isEmpty()) {
      return targets < asked ? PlacementOutcome.PARTLY : PlacementOutcome.STOCK;
    }
    if (reasons.isEmpty() && placed.containsAll(best())) {
      return PlacementOutcome.HONOURED;
    }
    boolean any = wanted.stream().anyMatch(placed::contains);
    return any || targets < asked ? PlacementOutcome.PARTLY : PlacementOutcome.STOCK;
  }
}
