package dev.weir.cluster.plan;

/**
 * How many NameNodes, ResourceManagers and hints services a cluster has, and which processes a node
 * has.
 *
 * @param nameNodes 1, or 2 of which one is active and the other a standby
 * @param resourceManagers 1, or 2 of which one is active and the other a standby
 * @param hintServices the number of instances of Weir's hints service; 0 for none
 * @param outside whether there is a node {@code outside} on the network that runs no daemon
 * @param splitNodes whether the DataNode and the NodeManager of a node are separate processes
 * @param secure whether the cluster has Kerberos, TLS and encrypted transfers
 */
public record DaemonLayout(
    int nameNodes,
    int resourceManagers,
    int hintServices,
    boolean outside,
    boolean splitNodes,
    boolean secure) {
  /** One NameNode and no hints service, as in a stock cluster. */
  public static final DaemonLayout STOCK = new DaemonLayout(1, 0);

  public DaemonLayout {
    if (nameNodes < 1 || nameNodes > 2) {
      throw new IllegalArgumentException("Cluster of " + nameNodes + " NameNodes: ask for 1 or 2");
    }
    if (resourceManagers < 1 || resourceManagers > 2) {
      throw new IllegalArgumentException(
          "Cluster of " + resourceManagers + " ResourceManagers: ask for 1 or 2");
    }
    if (secure && !splitNodes) {
      throw new IllegalArgumentException(
          "With Kerberos a process has one identity: split the nodes");
    }
    if (hintServices < 0) {
      throw new IllegalArgumentException(
          "Cluster of " + hintServices + " hints services: ask for 0 or more");
    }
  }

  /** Creates a layout with one ResourceManager, no outside node and one process per node. */
  public DaemonLayout(int nameNodes, int hintServices) {
    this(nameNodes, 1, hintServices, false, false, false);
  }

  /** Returns whether there is a standby NameNode. */
  public boolean standby() {
    return nameNodes > 1;
  }

  public boolean standbyResourceManager() {
    return resourceManagers > 1;
  }
}
