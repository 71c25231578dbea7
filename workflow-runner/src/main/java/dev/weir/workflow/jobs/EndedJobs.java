package dev.weir.workflow.jobs;

import java.util.List;

/**
 * Jobs that have ended, in that order.
 *
 * @param next what to ask for those that end after these
 */
public record EndedJobs(List<JobStatus> jobs, long next) {

  /** Copies. */
  public EndedJobs {
    jobs = List.copyOf(jobs);
  }
}
