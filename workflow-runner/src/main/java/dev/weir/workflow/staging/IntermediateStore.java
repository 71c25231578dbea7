package dev.weir.workflow.staging;

/** Where a run's tasks put files for each other. */
public enum IntermediateStore {
  /** In HDFS. */
  HDFS,
  /** On the node that makes them, as far as the run need not keep them. */
  NODE
}
