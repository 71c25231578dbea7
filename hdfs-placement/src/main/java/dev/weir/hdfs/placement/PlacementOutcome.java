package dev.weir.hdfs.placement;

/** How far a hint was followed. */
public enum PlacementOutcome {
  /** The hint was followed entirely. */
  HONOURED,
  /** Some replicas are elsewhere, or only the number of replicas was followed. */
  PARTLY,
  /** Stock HDFS decided. */
  STOCK
}
