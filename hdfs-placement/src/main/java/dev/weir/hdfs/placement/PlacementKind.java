package dev.weir.hdfs.placement;

/** What a hint asks of a block, as the metrics tell it. */
public enum PlacementKind {
  /** With its writer. */
  LOCAL,
  /** With the other files of its group. */
  COLLOCATE,
  /** On many nodes. */
  BROADCAST,
  /** On the nodes that the hint names. */
  NODES,
  /** With the other blocks of its region. */
  SCATTER,
  /** Something that is left to stock HDFS, except for replicas that may come later. */
  OTHER
}
