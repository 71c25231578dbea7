package dev.weir.workflow.jobserver;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.WorkerInfo;

/** The jobs of a pool, with what is to be learned of them. Thread-safe. */
public final class ProfilingJobListener implements RecordListener {

  private final JobRegistry book;
  private final JobProfiles habits;

  public ProfilingJobListener(JobRegistry book, JobProfiles habits) {
    this.book = book;
    this.habits = habits;
  }

  @Override
  public void record(DispatchRecord record) {
    if (record instanceof DispatchRecord.AttemptEnded ended) {
      book.job(ended.report().task()).ifPresent(job -> habits.ended(job.task(), ended));
    }
    book.record(record);
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    book.workerJoined(worker, now);
  }

  @Override
  public void workerEnded(String worker, long now) {
    book.workerEnded(worker, now);
  }
}
