package dev.weir.cluster.plan;

import java.util.Optional;

/** The form of a node on this machine. */
public enum HostKind {
  /**
   * A network namespace with its own link, which can be shaped and cut. Needs root and iproute2.
   */
  NAMESPACES,
  /** A loopback address 127.0.x.y. Available to any user. Links cannot be shaped or cut. */
  LOOPBACK;

  /**
   * Why this user cannot have nodes of this kind on this machine.
   *
   * @return what is missing and the remedy, or empty if such nodes are available
   */
  public Optional<String> lack() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Prerequisites.lackOf(this, path, Privileges.mayMakeNamespaces());
  }
}
