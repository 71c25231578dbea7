package dev.weir.hdfs.placement;

import java.util.Collection;
import java.util.List;

/**
 * The desired placement of one block.
 *
 * @param kind the kind of hint
 * @param targets how many replicas to place now
 * @param requiredReplicas how many replicas satisfy the hint; 0 if the number does not matter
 * @param wanted the desired sites, best first; those beyond {@code targets} are substitutes
 * @param directed whether replicas are placed on those sites one by one; otherwise stock HDFS
 *     places them by itself
 * @param reasons why the plan falls short of the hint, one for each shortcoming
 */
public record PlacementPlan<S extends Site>(
    PlacementKind kind,
    int targets,
    int requiredReplicas,
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
      PlacementKind kind, int targets, int requiredReplicas, List<S> wanted, boolean directed) {
    this(kind, targets, requiredReplicas, wanted, directed, List.of());
  }

  /** Whether a broadcast file has fewer replicas than its hint and HDFS ask for. */
  public boolean lacksReplicas(int placed) {
    return kind == PlacementKind.BROADCAST && placed < Math.min(targets, requiredReplicas);
  }

  /** The sites desired for the replicas placed now. */
  public List<S> best() {
    return wanted.subList(0, Math.min(targets, wanted.size()));
  }

  /**
   * The outcome of the placement.
   *
   * @param requested the number of replicas that HDFS requested
   * @param placed where the replicas went
   */
  public PlacementOutcome outcome(int requested, Collection<S> placed) {
    if (kind == PlacementKind.BROADCAST) {
      if (requested < requiredReplicas) {
        return PlacementOutcome.STOCK;
      }
      return placed.size() >= requiredReplicas
          ? PlacementOutcome.HONOURED
          : PlacementOutcome.PARTLY;
    }
    if (wanted.isEmpty()) {
      return targets < requested ? PlacementOutcome.PARTLY : PlacementOutcome.STOCK;
    }
    if (reasons.isEmpty() && placed.containsAll(best())) {
      return PlacementOutcome.HONOURED;
    }
    boolean any = wanted.stream().anyMatch(placed::contains);
    return any || targets < requested ? PlacementOutcome.PARTLY : PlacementOutcome.STOCK;
  }
}
