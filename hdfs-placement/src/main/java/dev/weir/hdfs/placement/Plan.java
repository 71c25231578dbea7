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
 */
public record Plan<S extends Site>(
    Kind kind, int targets, int enough, List<S> wanted, boolean directed) {

  /** Copies the list. */
  public Plan {
    wanted = List.copyOf(wanted);
  }

  /** Whether stock HDFS would be asked for the same. */
  public boolean isStock(int asked) {
    return !directed && targets == asked;
  }

  /**
   * How far the plan was kept to.
   *
   * @param asked how many replicas HDFS asked for
   * @param placed where the replicas went
   */
  public Outcome judge(int asked, Collection<S> placed) {
    if (kind == Kind.BROADCAST) {
      if (asked < enough) {
        return Outcome.STOCK;
      }
      return placed.size() >= enough ? Outcome.HONOURED : Outcome.PARTLY;
    }
    if (wanted.isEmpty()) {
      return targets < asked ? Outcome.PARTLY : Outcome.STOCK;
    }
    List<S> best = wanted.subList(0, Math.min(targets, wanted.size()));
    if (placed.containsAll(best)) {
      return Outcome.HONOURED;
    }
    boolean any = wanted.stream().anyMatch(placed::contains);
    return any || targets < asked ? Outcome.PARTLY : Outcome.STOCK;
  }
}
