package dev.weir.hdfs.placement;

/** The kinds of hints that the metrics distinguish. */
public enum PlacementKind {
  /** Blocks with their writer. */
  LOCAL,
  /** Blocks with the other files of their group. */
  COLLOCATE,
  /** Blocks on many nodes. */
  BROADCAST,
  /** Blocks on the nodes that the hint names. */
  NODES,
  /** Blocks with the other blocks of their region. */
  SCATTER,
  /** Placement left to stock HDFS, apart from a changed number of replicas. */
  OTHER
}
