package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static dev.weir.yarn.Asks.counts;
import static dev.weir.yarn.Asks.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.cluster.NodeRankingTest;
import dev.weir.yarn.metrics.AskOutcome;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

/** Plans for files on hosts without a NodeManager. */
class KeyPlannerMissingNodesTest extends KeyPlannerFixture {

  @Test
  void holdsAsksWhileNodesRegister() {
    cluster = NodeRankingTest.cluster(1).whileRegistering(true);
    found("weir:/a", Map.of("h1", 4L, "h3", 8L));

    assertThat(counts(send(AskOutcome.HELD, named("weir:/a", 2)))).isEqualTo(Map.of("*", 0));
    clock.advance(10 * HOLD);
    assertThat(heartbeat(AskOutcome.NOTHING)).isEmpty();
    cluster = NodeRankingTest.cluster(6).whileRegistering(true);

    assertThat(counts(heartbeat(AskOutcome.PLACED)))
        .isEqualTo(Map.of("h1", 2, "h3", 2, "/r1", 2, "*", 2));
  }

  @Test
  void releasesAsksWhenRegistrationEnds() {
    cluster = NodeRankingTest.cluster(0).whileRegistering(true);
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.HELD, named("weir:/a", 2));
    cluster = NodeRankingTest.cluster(0);

    assertThat(counts(heartbeat(AskOutcome.ANYWHERE))).isEqualTo(Map.of("*", 2));
  }

  @Test
  void aRackCountsAsChosenWhileNodesRegister() {
    cluster = NodeRankingTest.cluster(0).whileRegistering(true);
    found("weir:/a", Map.of("h1", 4L));
    ResourceRequest strict = ask("*", 1);
    strict.setRelaxLocality(false);

    List<ResourceRequest> asks =
        send(AskOutcome.LEFT_ALONE, List.of(ask("weir:/a", 1), ask("/r2", 1), strict));

    assertThat(relaxed(asks)).isEqualTo(Map.of("/r2", true, "*", false));
    cluster = NodeRankingTest.cluster(6);
    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h1", 1, "/r1", 1));
  }

  @Test
  void aLaterNodeIsAddedToPendingAsks() {
    cluster = NodeRankingTest.cluster(2);
    found("weir:/a", Map.of("h5", 4L));

    assertThat(counts(send(AskOutcome.ANYWHERE, named("weir:/a", 2)))).isEqualTo(Map.of("*", 2));
    assertThat(state.needsStep(cluster)).as("needs a step meanwhile").isFalse();
    cluster = NodeRankingTest.cluster(6);

    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h5", 2, "/r1", 2));
    assertThat(state.needsStep(cluster)).isFalse();
  }

  @Test
  void aLaterNodeIsAddedToOtherNodes() {
    cluster = NodeRankingTest.cluster(2);
    found("weir:/a", Map.of("h2", 3L, "h5", 4L));
    assertThat(counts(send(AskOutcome.PLACED, named("weir:/a", 1))))
        .isEqualTo(Map.of("h2", 1, "/r2", 1, "*", 1));
    cluster = NodeRankingTest.cluster(6);
    files.put("weir:/a", PENDING);

    assertThat(heartbeat(AskOutcome.NOTHING)).as("asks during the new lookup").isEmpty();
    found("weir:/a", Map.of("h2", 3L, "h5", 4L));
    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h5", 1, "/r1", 1));
  }
}
