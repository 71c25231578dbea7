package dev.weir.hdfs.placement;

/** How far a hint was followed. */
public enum PlacementOutcome {
  /** Wholly. */
  HONOURED,
  /** In part: some replica went elsewhere, or only the number was followed. */
  PARTLY,
  /** Not at all: stock HDFS decided. */
  STOCK
}
