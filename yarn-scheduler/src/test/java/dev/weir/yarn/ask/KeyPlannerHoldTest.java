package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static dev.weir.yarn.Asks.counts;
import static dev.weir.yarn.Asks.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.metrics.AskOutcome;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

/** Plans while files are being looked up. */
class KeyPlannerHoldTest extends KeyPlannerFixture {

  @Test
  void holdsAsksUntilTheFilesAreLocated() {
    files.put("weir:/a", PENDING);

    assertThat(counts(send(AskOutcome.HELD, named("weir:/a", 2)))).isEqualTo(Map.of("*", 0));
    clock.advance(HOLD - 1);
    assertThat(heartbeat(AskOutcome.NOTHING)).isEmpty();
    found("weir:/a", Map.of("h1", 4L));

    assertThat(counts(heartbeat(AskOutcome.PLACED))).isEqualTo(Map.of("h1", 2, "/r1", 2, "*", 2));
    assertThat(state.needsStep(cluster)).isFalse();
  }

  @Test
  void holdsForABoundedTime() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 2));
    clock.advance(HOLD);

    assertThat(counts(heartbeat(AskOutcome.ANYWHERE))).isEqualTo(Map.of("*", 2));
  }

  @Test
  void addsLateNodesWithoutRepeatingTheAskForAnyNode() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 2));
    clock.advance(HOLD);
    heartbeat(AskOutcome.ANYWHERE);
    assertThat(heartbeat(AskOutcome.NOTHING)).isEmpty();
    found("weir:/a", Map.of("h1", 4L));

    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h1", 2, "/r1", 2));
    assertThat(state.needsStep(cluster)).isFalse();
    assertThat(counts(send(AskOutcome.ENDED, named("weir:/a", 0))))
        .containsEntry("h1", 0)
        .containsEntry("/r1", 0);
  }

  @Test
  void doesNotHoldIfTheFileSystemIsStalled() {
    files.put("weir:/a", PENDING);
    stalled = true;

    assertThat(counts(send(AskOutcome.ANYWHERE, named("weir:/a", 2)))).isEqualTo(Map.of("*", 2));
  }

  @Test
  void releasesHeldAsksIfTheFileSystemStalls() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 2));
    stalled = true;

    assertThat(counts(heartbeat(AskOutcome.ANYWHERE))).isEqualTo(Map.of("*", 2));
  }

  @Test
  void withdrawsALiveKeyWhileItIsHeld() {
    found("weir:/a", Map.of("h1", 4L));
    files.put("weir:/b", PENDING);
    send(AskOutcome.PLACED, named("weir:/a", 1));

    List<ResourceRequest> held =
        send(AskOutcome.HELD, List.of(ask("weir:/b", 1), ask("/default-rack", 2), ask("*", 2)));
    assertThat(counts(held)).isEqualTo(Map.of("*", 0));
    found("weir:/b", Map.of("h2", 4L));

    assertThat(counts(heartbeat(AskOutcome.PLACED)))
        .isEqualTo(Map.of("h1", 1, "h2", 1, "/r1", 1, "/r2", 1, "*", 2));
  }

  @Test
  void laterAsksReplaceHeldOnes() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 5));
    send(AskOutcome.HELD, named("weir:/a", 2));
    found("weir:/a", Map.of("h1", 4L));

    assertThat(counts(heartbeat(AskOutcome.PLACED))).containsEntry("*", 2).containsEntry("h1", 2);
  }

  @Test
  void heldAsksCanBeCancelled() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 5));

    assertThat(counts(send(AskOutcome.ENDED, named("weir:/a", 0))))
        .isEqualTo(Map.of("/default-rack", 0, "*", 0));
    assertThat(state).isEqualTo(KeyState.NEW);
  }

  @Test
  void aKeyIsNotHeldAgainForAsLongAsItWasHeld() {
    files.put("weir:/a", PENDING);
    send(AskOutcome.HELD, named("weir:/a", 1));
    clock.advance(1_000);
    found("weir:/a", Map.of("h1", 4L));
    heartbeat(AskOutcome.PLACED);
    files.put("weir:/b", PENDING);
    clock.advance(999);
    send(AskOutcome.PARTLY, List.of(ask("weir:/b", 1), ask("*", 2)));
    files.put("weir:/c", PENDING);
    clock.advance(1);

    send(AskOutcome.HELD, List.of(ask("weir:/c", 1), ask("*", 3)));
  }

  @Test
  void doesNotHoldWithoutTheAskForAnyNode() {
    files.put("weir:/a", PENDING);

    assertThat(send(AskOutcome.ANYWHERE, List.of(ask("weir:/a", 1)))).isEmpty();
    found("weir:/a", Map.of("h1", 4L));
    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h1", 1, "/r1", 1));
  }

  @Test
  void doesNotHoldOpportunisticAsks() {
    files.put("weir:/a", PENDING);
    List<ResourceRequest> asks = named("weir:/a", 1);
    asks.forEach(
        ask ->
            ask.setExecutionTypeRequest(
                ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC)));

    send(AskOutcome.ANYWHERE, asks);
  }
}
