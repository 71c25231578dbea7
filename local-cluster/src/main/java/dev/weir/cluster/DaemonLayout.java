package dev.weir.cluster;

/**
 * How many there are of what a cluster may have several of, or none, and whether they share a
 * process.
 *
 * @param nameNodes 1, or 2 of which one is active and the other stands by
 * @param hintServices instances of Weir's hints service; 0 for none
 * @param outside whether there is a node {@code outside} on the network that runs no daemon
 * @param splitNodes whether the DataNode and the NodeManager of a node are processes of their own
 */
public record DaemonLayout(int nameNodes, int hintServices, boolean outside, boolean splitNodes) {
  /** One NameNode and no hints service: as a stock cluster has it. */
  public static final DaemonLayout STOCK = new DaemonLayout(1, 0);

  public DaemonLayout {
    if (nameNodes < 1 || nameNodes > 2) {
      throw new IllegalArgumentException("Cluster of " + nameNodes + " NameNodes: ask for 1 or 2");
    }
    if (hintServices < 0) {
      throw new IllegalArgumentException(
          "Cluster of " + hintServices + " hints services: ask for 0 or more");
    }
  }

  /** The daemons of a cluster that has no node outside, and one process a node. */
  public DaemonLayout(int nameNodes, int hintServices) {
    this(nameNodes, hintServices, false, false);
  }

  /** Whether a second NameNode stands by. */
  boolean standby() {
    return nameNodes > 1;
  }
}
