package dev.weir.hdfs.placement;

/** A DataNode in a placement decision. Sites are equal if they are the same DataNode. */
public interface Site {
  /** The DataNode's host name. */
  String host();

  /** Its data transfer port, which distinguishes DataNodes on one host. */
  int port();

  /** The path of its rack in the topology. */
  String rack();
}
