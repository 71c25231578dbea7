package dev.weir.hdfs.placement;

/** A DataNode as a decision sees it. Two sites are equal when they are the same DataNode. */
public interface Site {
  /** The host name that the DataNode goes by. */
  String host();

  /** The port it serves blocks at; tells DataNodes on one host apart. */
  int port();

  /** The path of its rack in the topology. */
  String rack();
}
