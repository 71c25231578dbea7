package dev.weir.hdfs.placement;

/** Why a node that a hint wants was rejected, or why a hint could not name a node. */
public enum RejectionReason {
  /** It has no room for a block, or no storage of the type that the file's policy requires. */
  FULL,
  /** It is being decommissioned, or is in or entering maintenance. */
  LEAVING,
  /** It has missed heartbeats, and stale nodes are avoided. */
  STALE,
  /** HDFS found it slow, and slow nodes are avoided. */
  SLOW,
  /** It has more than four times the average load. */
  BUSY,
  /** The client excluded it, usually because it could not connect. */
  EXCLUDED,
  /** Its rack would have more of the replicas than HDFS wants on one. */
  RACK,
  /** No live DataNode has the name. */
  ABSENT,
  /** There is no DataNode on the writer's host. */
  NO_WRITER,
  /** The index of the block in its file could not be read without blocking. */
  NO_INDEX
}
