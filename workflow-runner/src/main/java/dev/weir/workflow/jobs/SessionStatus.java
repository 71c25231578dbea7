package dev.weir.workflow.jobs;

/**
 * The status of a session.
 *
 * @param id of the session: that of its YARN application
 * @param queued waiting jobs
 * @param running jobs on workers
 * @param succeeded jobs that succeeded and are still known
 * @param failed jobs that failed or were cancelled and are still known
 * @param workers connected workers
 * @param wantedWorkers the number of workers that it requests
 * @param runs live runs
 * @param offer its resources for tasks
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
   * The resources of a session, as it was started.
   *
   * @param mode label of its mode
   * @param mostWorkers the maximum number of workers
   * @param megabytes memory of each worker's container in MiB
   */
  public record Offer(String mode, int mostWorkers, int cores, int megabytes) {}
}
