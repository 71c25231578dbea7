package dev.weir.service.auto;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The outcome of the last round.
 *
 * @param time when it was
 * @param counting how many NameNodes' counts are known
 * @param established whether the counts cover a half-life, so that copies may go
 * @param halfLife the time in which a count halves
 * @param files the files whose replicas follow their use
 * @param budget the most bytes of copies
 * @param bytes of the copies that the plan has
 * @param price the highest preference of a copy for which the budget had no room; 0 if all fitted
 * @param changes that the plan makes, in their order
 * @param counts of the files with any, by path
 */
public record AutoStatus(
    Instant time,
    int counting,
    boolean established,
    Duration halfLife,
    int files,
    long budget,
    long bytes,
    double price,
    List<ReplicaChange> changes,
    Map<String, AccessCounts.Count> counts) {
  /** The status before the first round. */
  public static final AutoStatus NONE =
      new AutoStatus(Instant.EPOCH, 0, false, Duration.ZERO, 0, 0, 0, 0, List.of(), Map.of());

  public AutoStatus {
    changes = List.copyOf(changes);
    counts = Map.copyOf(counts);
  }
}
