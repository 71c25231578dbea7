package dev.weir.workflow.staging;

/** Where a run's tasks put files for each other. */
public enum IntermediateStore {
  /** In HDFS. */
  HDFS,
  /** On the node that makes them. Those that the run keeps are copied to HDFS later. */
  NODE,
  /** On nodes; in HDFS if HDFS encrypts one of their directories, because nodes do not encrypt. */
  AUTO
}
