package dev.weir.bench.yarn;

/** A scheduler, and what makes it look for room. */
enum SchedulerKind {
  /** The Capacity scheduler, when a node's heartbeat comes. */
  CAPACITY("Capacity, heartbeats", "capacity.CapacityScheduler", false),
  /** The Capacity scheduler, in threads of its own that go round the nodes. */
  CAPACITY_ASYNCHRONOUS("Capacity, asynchronous", "capacity.CapacityScheduler", true),
  /** The Fair scheduler, when a node's heartbeat comes. */
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
