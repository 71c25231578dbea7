package dev.weir.hdfs.placement;

/**
 * Why a node that a hint wants was passed over, or why a hint could not say which node it wants.
 */
public enum RejectionReason {
  /** It has no room for a block, or no storage of the type that the file's policy asks for. */
  FULL,
  /** It is being decommissioned, is in maintenance or is about to be. */
  LEAVING,
  /** It has not been heard of for a while, and stale nodes are avoided. */
  STALE,
  /** It is among those that HDFS found slow, and slow nodes are avoided. */
  SLOW,
  /** The client has ruled it out, mostly because it could not reach it. */
  EXCLUDED,
  /** Its rack would have more of the replicas than HDFS wants on one. */
  RACK,
  /** No DataNode that is alive has the name. */
  ABSENT,
  /** There is no DataNode on the writer's host. */
  NO_WRITER,
  /** Which block of its file it is could not be learned without waiting. */
  NO_INDEX
}
