package dev.weir.bench.yarn;

/** A scheduler, and the event on which it allocates. */
enum SchedulerKind {
  /** The Capacity scheduler, on the heartbeat of a node. */
  CAPACITY("Capacity, heartbeats", "capacity.CapacityScheduler", false),
  /** The Capacity scheduler, in separate threads that visit the nodes. */
  CAPACITY_ASYNCHRONOUS("Capacity, asynchronous", "capacity.CapacityScheduler", true),
  /** The Fair scheduler, on the heartbeat of a node. */
  FAIR("Fair, heartbeats", "fair.FairScheduler", false);

  private static final String PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";

  private final String label;
  private final String className;
  private final boolean asynchronous;

  SchedulerKind(String label, String className, boolean asynchronous) {
    this.label = label;
    this.className = PACKAGE + className;
    this.asynchronous = asynchronous;
  }

  String label() {
    return label;
  }

  String className() {
    return className;
  }

  boolean asynchronous() {
    return asynchronous;
  }
}
