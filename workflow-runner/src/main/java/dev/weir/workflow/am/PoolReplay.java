package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.Dispatcher;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what a pool's earlier ApplicationMasters recorded. What cannot be taken over is passed
 * over: the other jobs are not to be lost for it.
 */
final class PoolReplay {

  private static final Logger LOG = LoggerFactory.getLogger(PoolReplay.class);

  /**
   * Jobs that ended long ago are forgotten on the way, or all there ever were would be in memory.
   */
  private static final int FORGET_EVERY = 1_000;

  private final Dispatcher dispatcher;
  private final JobBook book;
  private int taken;
  private long ends;

  /** Into a dispatcher and a book that are empty. */
  PoolReplay(Dispatcher dispatcher, JobBook book) {
    this.dispatcher = dispatcher;
    this.book = book;
  }

  /** Takes over a line; the next one came after it. */
  void take(Journal.Line line) {
    book.recordedBy(line.attempt());
    book.endedAtLeast(line.endsBefore());
    take(line.record());
    taken++;
    if (taken % FORGET_EVERY == 0) {
      forget();
    }
  }

  /**
   * All is taken over.
   *
   * @param attempt number of the ApplicationMaster that goes on from there
   */
  void goOn(int attempt) {
    forget();
    ends = book.lastNumber();
    book.recordedBy(attempt);
  }

  /** How many jobs had ended under the earlier ApplicationMasters. */
  long ends() {
    return ends;
  }

  /** The jobs that are known now. */
  KnownJobs known() {
    return new KnownJobs(book, dispatcher);
  }

  private void take(DispatchRecord record) {
    if (record instanceof DispatchRecord.TaskAdded added) {
      // Somebody was free to use the id of a job again that had been forgotten.
      book.strikeOut(dispatcher.forget(List.of(added.addition().task().id())));
    }
    if (dispatcher.knows(record)) {
      dispatcher.replay(record);
      book.record(record);
    } else {
      LOG.warn("Passed over, for it is of a job that the journal does not have: {}", record);
    }
  }

  /** A job that is run again just now, for what it made is lost, is kept by both. */
  void forget() {
    book.strikeOut(dispatcher.forget(book.surplus()));
  }
}
