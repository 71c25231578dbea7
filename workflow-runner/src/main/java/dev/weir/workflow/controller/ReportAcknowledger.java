package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.api.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Acknowledges reports to workers once the journal holds them. Workers keep unacknowledged reports
 * and repeat them to the next ApplicationMaster. For the event loop.
 */
final class ReportAcknowledger {

  private final Map<String, Long> reports = new HashMap<>();
  private final Set<String> unacknowledged = new HashSet<>();
  private final BiConsumer<String, Message> worker;
  private final Supplier<CompletableFuture<Void>> written;
  private final Consumer<Supplier<Step>> post;

  /**
   * Creates an acknowledger without reports.
   *
   * @param worker sends a worker a message; ignores one that has left
   * @param written returns a future that completes when the journal holds all events so far,
   *     exceptionally when it cannot be written now
   * @param post runs an event on the event loop
   */
  ReportAcknowledger(
      BiConsumer<String, Message> worker,
      Supplier<CompletableFuture<Void>> written,
      Consumer<Supplier<Step>> post) {
    this.worker = worker;
    this.written = written;
    this.post = post;
  }

  /** A worker has reported the end of an attempt; ignored reports count too. */
  void reported(String id) {
    reports.merge(id, 1L, Long::sum);
    unacknowledged.add(id);
  }

  void lost(String id) {
    reports.remove(id);
    unacknowledged.remove(id);
  }

  /** Acknowledges new reports when the journal holds them; called periodically. */
  void acknowledge() {
    if (!unacknowledged.isEmpty()) {
      Map<String, Long> due = new HashMap<>(reports);
      due.keySet().retainAll(unacknowledged);
      unacknowledged.clear();
      var unused =
          written
              .get()
              .whenComplete(
                  (nothing, failure) -> post.accept(() -> acknowledge(due, failure == null)));
    }
  }

  private Step acknowledge(Map<String, Long> due, boolean isWritten) {
    if (isWritten) {
      due.forEach((id, number) -> worker.accept(id, new Message.Noted(number)));
    } else {
      due.keySet().stream().filter(reports::containsKey).forEach(unacknowledged::add);
    }
    return Step.NOTHING;
  }
}
