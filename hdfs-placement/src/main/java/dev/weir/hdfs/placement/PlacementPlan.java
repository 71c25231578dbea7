package dev.weir.hdfs.placement;

import java.util.Collection;
import java.util.List;

/**
 * The desired placement of one block.
 *
 * @param kind the kind of hint
 * @param targets how many replicas to place now
 * @param enough how many replicas satisfy the hint; 0 if the number does not matter
 * @param wanted the desired sites, best first; those beyond {@code targets} are substitutes
 * @param directed whether replicas are placed on those sites one by one; otherwise stock HDFS
 *     places them by itself
 * @param reasons why the plan falls short of the hint, one for each shortcoming
 */
public record PlacementPlan<S extends Site>(
    PlacementKind kind,
    int targets,
    int enough,
    List<S> wanted,
    boolean directed,
    List<RejectionReason> reasons) {

  /** Copies the lists. */
  public PlacementPlan {
    wanted = List.copyOf(wanted);
    reasons = List.copyOf(reasons);
  }

  /** A plan that fulfils the hint. */
  public PlacementPlan(
      PlacementKind kind, int targets, int enough, List<S> wanted, boolean directed) {
    this(kind, targets, enough, wanted, directed, List.of());
  }

  /** Whether stock HDFS would be asked for the same. */
  public boolean isStock(int asked) {
    return !directed && targets == asked;
  }

  /** Whether a broadcast file has fewer replicas than its hint and HDFS ask for. */
  public boolean lacks(int placed) {
    return kind == PlacementKind.BROADCAST && placed < Math.min(targets, enough);
  }

  /** The sites desired for the replicas placed now. */
  public List<S> best() {
    return wanted.subList(0, Math.min(targets, wanted.size()));
  }

  /**
   * The outcome of the placement.
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
