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
 */
public record SessionStatus(
    String id,
    String name,
    int queued,
    int running,
    int succeeded,
    int failed,
    int workers,
    int wantedWorkers) {}
