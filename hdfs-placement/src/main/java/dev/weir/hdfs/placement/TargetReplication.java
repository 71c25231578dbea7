package dev.weir.hdfs.placement;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;

/** The number of replicas that a hint wants a file to have eventually. */
public final class TargetReplication {
  /** The file keeps its own replication. */
  public static final int FILES_OWN = Replication.FILES_OWN;

  private TargetReplication() {}

  /**
   * A temporary file can be recomputed, so it has one replica unless its readers need more: the
   * replicas of a broadcast, or the copy on the anchor of a file that stays with its writer.
   *
   * @return at least 1, or {@link #FILES_OWN}
   */
  public static int wanted(Hint hint) {
    int target = hint.replication().map(Replication::target).orElse(FILES_OWN);
    if (!hint.isTemporary()) {
      return target;
    }
    boolean isCollocated = hint.placement().orElse(null) instanceof Placement.Collocate;
    boolean isLocal = hint.placement().orElse(null) instanceof Placement.Local;
    if (hint.isLazy()) {
      return isCollocated ? 2 : 1;
    }
    return target == FILES_OWN && (isLocal || isCollocated) ? 1 : target;
  }
}
