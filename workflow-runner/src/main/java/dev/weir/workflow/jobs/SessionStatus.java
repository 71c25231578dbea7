package dev.weir.workflow.jobs;

/**
 * How a session is.
 *
 * @param id of the session: that of its YARN application
 * @param name what its owner calls it
 * @param queued jobs that wait
 * @param running jobs that a worker has
 * @param succeeded jobs that succeeded and are still known
 * @param failed jobs that failed or were cancelled and are still known
 * @param workers workers that are there
 * @param wantedWorkers workers that it wants
 * @param runs runs that go on
 * @param offer what it has for tasks
 */
public record SessionStatus(
    String id,
    String name,
    int queued,
    int running,
    int succeeded,
    int failed,
    int workers,
    int wantedWorkers,
    int runs,
    Offer offer) {

  /**
   * What a session has for tasks, as it was started.
   *
   * @param mode how much it makes of what is known about files: label of the mode
   * @param mostWorkers the most workers that it asks for
   * @param cores cores of each worker
   * @param megabytes memory of each worker's container in MiB
   */
  public record Offer(String mode, int mostWorkers, int cores, int megabytes) {}
}
