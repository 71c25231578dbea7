package dev.weir.cluster;

/** What a node of the cluster is on this machine. */
public enum HostKind {
  /**
   * A network namespace with a link of its own, shaped on demand, that can be cut. Needs root and
   * iproute2.
   */
  NAMESPACES,
  /** A loopback address 127.0.x.y. Any user; no shaping and no cutting of links. */
  LOOPBACK
}
