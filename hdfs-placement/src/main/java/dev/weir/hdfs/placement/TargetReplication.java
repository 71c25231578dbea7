package dev.weir.hdfs.placement;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;

/** How many replicas a hint wants a file to have in the end. */
public final class TargetReplication {
  /** As many as the file has anyway. */
  public static final int FILES_OWN = Replication.FILES_OWN;

  private TargetReplication() {}

  /**
   * A temporary file can be made again, so it has one replica unless more are wanted for its
   * readers: those of a broadcast, or the copy on the anchor of a file that its writer keeps.
   *
   * @return from 1 on, or {@link #FILES_OWN}
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
