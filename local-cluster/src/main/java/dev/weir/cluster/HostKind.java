package dev.weir.cluster;

import java.util.Optional;

/** What a node of the cluster is on this machine. */
public enum HostKind {
  /**
   * A network namespace with a link of its own, shaped on demand, that can be cut. Needs root and
   * iproute2.
   */
  NAMESPACES,
  /** A loopback address 127.0.x.y. Any user; no shaping and no cutting of links. */
  LOOPBACK;

  /**
   * What keeps this user on this machine from having nodes of this kind.
   *
   * @return the lack and its remedy, or empty when such nodes can be had
   */
  public Optional<String> lack() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Prerequisites.lackOf(this, path, Privileges.mayMakeNamespaces());
  }
}
