package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.Step;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Acknowledges reports to workers once the journal holds them. Workers keep unacknowledged reports
 * and repeat them to the next ApplicationMaster. For the event loop.
 */
final class ReportAcknowledger {

  private final UnacknowledgedReports unacknowledged = new UnacknowledgedReports();
  private final WorkerConnections workers;
  private final Supplier<CompletableFuture<Void>> written;
  private final Consumer<Supplier<Step>> post;

  /**
   * Creates an acknowledger without reports.
   *
   * @param workers receive the acknowledgements
   * @param written returns a future that completes when the journal holds all events so far,
   *     exceptionally when it cannot be written now
   * @param post runs an event on the event loop
   */
  ReportAcknowledger(
      WorkerConnections workers,
      Supplier<CompletableFuture<Void>> written,
      Consumer<Supplier<Step>> post) {
    this.workers = workers;
    this.written = written;
    this.post = post;
  }

  /** A worker has reported the end of an attempt; ignored reports count too. */
  void reported(String worker) {
    unacknowledged.reported(worker);
  }

  /** A worker has left. */
  void lost(String worker) {
    unacknowledged.lost(worker);
  }

  /** Acknowledges new reports when the journal holds them; called periodically. */
  void acknowledge() {
    Map<String, Long> due = unacknowledged.take();
    if (!due.isEmpty()) {
      var unused =
          written
              .get()
              .whenComplete(
                  (nothing, failure) -> post.accept(() -> acknowledge(due, failure == null)));
    }
  }

  private Step acknowledge(Map<String, Long> reports, boolean isWritten) {
    if (isWritten) {
      reports.forEach((worker, number) -> workers.send(worker, new Message.Noted(number)));
    } else {
      unacknowledged.putBack(reports.keySet());
    }
    return Step.NOTHING;
  }
}
