package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.WorkerInfo;

/** The jobs of a pool, with what is to be learned of them. Thread-safe. */
final class TeachingBook implements Ledger {

  private final JobBook book;
  private final PoolHabits habits;

  TeachingBook(JobBook book, PoolHabits habits) {
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
