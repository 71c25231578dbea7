package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.Step;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells workers which of their reports the journal holds: what the next ApplicationMaster would not
 * know they keep, and report to it. For the dispatcher's thread.
 */
final class ReportAcknowledger {

  private final UnacknowledgedReports receipts = new UnacknowledgedReports();
  private final WorkerConnections workers;
  private final Supplier<CompletableFuture<Void>> written;
  private final Consumer<Supplier<Step>> post;

  /**
   * Nobody has reported anything.
   *
   * @param workers hear of it
   * @param written completes when the journal holds what has happened so far, exceptionally when it
   *     cannot be written now
   * @param post has something done on the dispatcher's thread
   */
  ReportAcknowledger(
      WorkerConnections workers,
      Supplier<CompletableFuture<Void>> written,
      Consumer<Supplier<Step>> post) {
    this.workers = workers;
    this.written = written;
    this.post = post;
  }

  /** A worker has reported the end of an attempt, whether anybody wanted to know or not. */
  void reported(String worker) {
    receipts.reported(worker);
  }

  /** A worker is gone. */
  void left(String worker) {
    receipts.left(worker);
  }

  /** Tells all that is new when the journal holds it; to be called now and then. */
  void tell() {
    Map<String, Long> due = receipts.take();
    if (!due.isEmpty()) {
      var unused =
          written
              .get()
              .whenComplete((nothing, failure) -> post.accept(() -> told(due, failure == null)));
    }
  }

  private Step told(Map<String, Long> reports, boolean isWritten) {
    if (isWritten) {
      reports.forEach((worker, number) -> workers.send(worker, new Message.Noted(number)));
    } else {
      receipts.putBack(reports.keySet());
    }
    return Step.NOTHING;
  }
}
