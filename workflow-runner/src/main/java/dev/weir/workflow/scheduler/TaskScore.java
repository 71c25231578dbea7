package dev.weir.workflow.scheduler;

/**
 * How much sooner a run ends if a worker's node gets a task next, rather than another task. It is
 * the rank of the task, as in HEFT (Topcuoglu et al., 2002), plus the time of reading that the node
 * saves, compared with the best other node that has a worker or may get one.
 *
 * @param readRate how fast workers read from other nodes
 */
record TaskScore(ReadRate readRate, WorkerSet workers) {

  /**
   * The weight of a second of reading. A link is shared, so that a task that reads delays others,
   * too; a task that is passed over only waits.
   */
  private static final double READ_WEIGHT = 16;

  /** The score of a ready task on a node; the higher, the sooner it should go there. */
  double of(TaskState task, String node) {
    long here = 0;
    long elsewhere = 0;
    for (LocalTask place : task.hostEntries()) {
      if (place.host().equals(node)) {
        here = place.bytes();
      } else if (workers.workersOn(place.host()) > 0 || workers.mayGetWorker(place.host())) {
        elsewhere = Math.max(elsewhere, place.bytes());
      }
    }
    return task.rank() + READ_WEIGHT * (here - elsewhere) / readRate.rate();
  }
}
