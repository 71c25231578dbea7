package dev.weir.workflow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.api.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReportAcknowledgerTest {

  private final Map<String, Message> sent = new HashMap<>();
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

  private final ReportAcknowledger reports =
      new ReportAcknowledger(
          sent::put, () -> written, event -> assertThat(event.get()).isSameAs(Step.NOTHING));

  @Test
  void reportsOfAWorkerAreAcknowledgedOnceTogether() {
    reports.reported("w1");
    reports.reported("w1");
    reports.reported("w2");
    assertThat(acknowledged())
        .isEqualTo(Map.of("w1", new Message.Noted(2), "w2", new Message.Noted(1)));

    assertThat(acknowledged()).isEmpty();
    reports.reported("w1");
    assertThat(acknowledged()).isEqualTo(Map.of("w1", new Message.Noted(3)));
  }

  @Test
  void failedAcknowledgementsAreRepeatedForConnectedWorkers() {
    reports.reported("w1");
    reports.reported("w2");
    written = new CompletableFuture<>();
    assertThat(acknowledged()).isEmpty();
    reports.lost("w2");
    written.completeExceptionally(new IllegalStateException("no journal"));

    written = CompletableFuture.completedFuture(null);
    assertThat(acknowledged()).isEqualTo(Map.of("w1", new Message.Noted(1)));
  }

  private Map<String, Message> acknowledged() {
    sent.clear();
    reports.acknowledge();
    return Map.copyOf(sent);
  }
}
