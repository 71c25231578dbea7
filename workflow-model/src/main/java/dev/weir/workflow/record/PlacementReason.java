package dev.weir.workflow.record;

import java.util.List;

/**
 * Why an attempt was assigned to its worker.
 *
 * @param decision the rule that decided
 * @param inputBytes bytes of its inputs, as known then
 * @param bytesPerSecond rate at which workers read from other nodes, as measured until then
 * @param candidates the nodes with most bytes of its inputs, most first
 */
public record PlacementReason(
    Decision decision, long inputBytes, long bytesPerSecond, List<Candidate> candidates) {

  /** The most candidates that are recorded. */
  public static final int MAX_CANDIDATES = 4;

  /** Not recorded. */
  public static final PlacementReason UNKNOWN =
      new PlacementReason(Decision.UNKNOWN, 0, 0, List.of());

  /** Copies the list. */
  public PlacementReason {
    candidates = List.copyOf(candidates);
  }

  /**
   * A node that had bytes of the inputs.
   *
   * @param node its host name
   * @param bytes the bytes that it had in HDFS or in a cache
   * @param waitMillis the least time that the task would have waited for its busy worker, as
   *     estimated; 0 if the scheduler did not estimate it
   */
  public record Candidate(String node, long bytes, long waitMillis) {}

  /** The rules by which a task gets a worker. */
  public enum Decision {
    /** Not recorded, as after a restart of the ApplicationMaster. */
    UNKNOWN,
    /** A free worker; no free worker's node had bytes of the inputs. */
    FREE_WORKER,
    /** Its score on the worker's node was the highest: its rank, and the reading that it saves. */
    BEST_SCORE,
    /** It waited for this busy worker, because moving its inputs would have taken longer. */
    WAITED,
    /** The worker was busy, and got it ahead to stage its inputs meanwhile. */
    AHEAD,
    /** It was taken back from a busy worker, where it would have waited longer. */
    TAKEN_BACK,
    /** A user put it first. */
    URGENT,
    /** The worker reserved room for it, because it is large. */
    RESERVED,
    /** A second copy, because the first attempt was slow. */
    SECOND_COPY
  }
}
