package dev.weir.workflow.scheduler;

/**
 * Compares ready tasks for a worker's node. The score of a task is its rank, as in HEFT (Topcuoglu
 * et al., 2002), plus the weighted time of reading that the node saves, compared with the best
 * other node that has a worker or may get one.
 */
record TaskScore(ReadRate readRate, WorkerSet workers) {

  /**
   * The weight of a second of reading. A link is shared, so that a task that reads delays others,
   * too; a task that is passed over only waits.
   */
  private static final double READ_WEIGHT = 16;

  /**
   * Returns the score of a ready task on a node. Of several tasks, that with the highest score goes
   * there first.
   *
   * @return in seconds
   */
  double of(TaskState task, String node) {
    long here = 0;
    long elsewhere = 0;
    for (LocalTask place : task.hostEntries()) {
      if (place.host().equals(node)) {
        here = place.bytes();
      } else if (!workers.ordinary().on(place.host()).isEmpty()
          || workers.mayGetWorker(place.host())) {
        elsewhere = Math.max(elsewhere, place.bytes());
      }
    }
    return task.rank() + READ_WEIGHT * (here - elsewhere) / readRate.rate();
  }
}
