package dev.weir.workflow.jobserver;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.WorkerInfo;

/** Passes records to the job registry, and ended attempts to the profiles. Thread-safe. */
public final class ProfilingJobListener implements RecordListener {

  private final JobRegistry jobs;
  private final JobProfiles profiles;

  public ProfilingJobListener(JobRegistry jobs, JobProfiles profiles) {
    this.jobs = jobs;
    this.profiles = profiles;
  }

  @Override
  public void record(DispatchRecord record) {
    if (record instanceof DispatchRecord.AttemptEnded ended) {
      jobs.job(ended.report().task()).ifPresent(job -> profiles.ended(job.task(), ended));
    }
    jobs.record(record);
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    jobs.workerJoined(worker, now);
  }

  @Override
  public void workerEnded(String worker, long now) {
    jobs.workerEnded(worker, now);
  }
}
