package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static dev.weir.yarn.Asks.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.NodeWait;
import dev.weir.yarn.wait.WaitingRequest;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

/** Plans with the placement allocator. */
class KeyPlannerAllocatorTest extends KeyPlannerFixture {

  KeyPlannerAllocatorTest() {
    super(false);
  }

  @Test
  void asksAreRelaxedWithAWaitThatHasNotBegun() {
    found("weir:/a", Map.of("h1", MB));

    List<ResourceRequest> asks = send(AskOutcome.PLACED, named("weir:/a", 1));

    assertThat(asks).allMatch(ResourceRequest::getRelaxLocality);
    assertThat(nodeWait(asks).begun()).isFalse();
    assertThat(nodeWait(asks).remaining(clock.getAsLong())).isEqualTo(1_100);
  }

  @Test
  void aWaitThatHasNotBegunIsReplaced() {
    found("weir:/a", Map.of("h1", MB));
    found("weir:/b", Map.of("h2", 4 * MB));
    send(AskOutcome.PLACED, named("weir:/a", 1));

    List<ResourceRequest> asks =
        send(AskOutcome.PLACED, List.of(ask("weir:/a", 0), ask("weir:/b", 1), ask("*", 1)));

    assertThat(nodeWait(asks).remaining(clock.getAsLong())).isEqualTo(4_100);
  }

  @Test
  void aWaitThatHasBegunIsNotReplaced() {
    found("weir:/a", Map.of("h1", MB));
    found("weir:/b", Map.of("h2", 4 * MB));
    nodeWait(send(AskOutcome.PLACED, named("weir:/a", 1))).declined(clock.getAsLong(), true);
    clock.advance(100);

    List<ResourceRequest> asks = send(AskOutcome.PLACED, List.of(ask("weir:/b", 1), ask("*", 2)));

    assertThat(nodeWait(asks).remaining(clock.getAsLong())).isEqualTo(1_000);
  }

  private static NodeWait nodeWait(List<ResourceRequest> asks) {
    return asks.stream()
        .filter(WaitingRequest.class::isInstance)
        .map(WaitingRequest.class::cast)
        .findFirst()
        .orElseThrow()
        .nodeWait();
  }
}
