package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static dev.weir.yarn.Asks.counts;
import static dev.weir.yarn.Asks.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.metrics.AskOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

class KeyPlannerTest extends KeyPlannerFixture {

  @Test
  void asksForTheNodesOfAFileAndTheirRacks() {
    found("weir:/a", Map.of("h1", 4L, "h2", 4L));

    List<ResourceRequest> asks = send(AskOutcome.PLACED, named("weir:/a", 3));

    assertThat(counts(asks)).isEqualTo(Map.of("h1", 3, "h2", 3, "/r1", 3, "/r2", 3, "*", 3));
  }

  @Test
  void asksShareThePropertiesOfTheKey() {
    found("weir:/a", Map.of("h1", 4L));
    List<ResourceRequest> sent = new ArrayList<>();
    for (ResourceRequest ask : named("weir:/a", 1)) {
      ask.setPriority(Priority.newInstance(7));
      ask.setAllocationRequestId(42);
      ask.setCapability(Resource.newInstance(2048, 3));
      ask.setExecutionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED, true));
      sent.add(ask);
    }
    sent.get(2).setNodeLabelExpression("gpu");

    List<ResourceRequest> asks = send(AskOutcome.PLACED, sent);

    assertThat(asks)
        .hasSize(3)
        .allSatisfy(
            ask -> {
              assertThat(ask.getPriority()).isEqualTo(Priority.newInstance(7));
              assertThat(ask.getAllocationRequestId()).isEqualTo(42);
              assertThat(ask.getCapability()).isEqualTo(Resource.newInstance(2048, 3));
              assertThat(ask.getExecutionTypeRequest().getEnforceExecutionType()).isTrue();
              assertThat(ask.getNodeLabelExpression())
                  .isEqualTo(ask.getResourceName().equals("*") ? "gpu" : null);
            });
  }

  @Test
  void doesNotChangeTheAsksOfTheApplicationMaster() {
    found("weir:/a", Map.of("h1", 4L));
    List<ResourceRequest> sent = named("weir:/a", 1);
    List<ResourceRequest> before = sent.stream().map(ResourceRequest::clone).toList();

    List<ResourceRequest> asks = send(AskOutcome.PLACED, sent);

    assertThat(sent).isEqualTo(before);
    assertThat(asks)
        .allSatisfy(ask -> assertThat(sent).allSatisfy(own -> assertThat(ask).isNotSameAs(own)));
  }

  @Test
  void sumsNamesOnOneKey() {
    found("weir:/a", Map.of("h1", 4L));
    found("weir:/b", Map.of("h1", 4L, "h3", 4L));

    List<ResourceRequest> asks =
        send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("weir:/b", 2), ask("*", 3)));

    assertThat(counts(asks)).isEqualTo(Map.of("h1", 3, "h3", 2, "/r1", 3, "*", 3));
  }

  @Test
  void keepsNamesOfEarlierHeartbeats() {
    found("weir:/a", Map.of("h1", 4L));
    found("weir:/b", Map.of("h3", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 1));

    List<ResourceRequest> asks =
        send(AskOutcome.PLACED, List.of(ask("weir:/b", 1), ask("/default-rack", 2), ask("*", 2)));

    assertThat(counts(asks)).isEqualTo(Map.of("h1", 1, "h3", 1, "/r1", 2, "*", 2));
  }

  @Test
  void repeatsEqualAsks() {
    found("weir:/a", Map.of("h1", 4L));
    List<ResourceRequest> first = send(AskOutcome.PLACED, named("weir:/a", 2));

    assertThat(counts(send(AskOutcome.PLACED, named("weir:/a", 2)))).isEqualTo(counts(first));
  }

  @Test
  void decrementsCounts() {
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 3));

    assertThat(counts(send(AskOutcome.PLACED, named("weir:/a", 1))))
        .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 1));
  }

  @Test
  void withdrawsItsNamesIfAllIsCancelled() {
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 3));

    assertThat(counts(send(AskOutcome.ENDED, named("weir:/a", 0))))
        .isEqualTo(Map.of("h1", 0, "/r1", 0, "/default-rack", 0, "*", 0));
    assertThat(state).isEqualTo(KeyState.NEW);
  }

  @Test
  void withdrawsItsNamesIfTheAskForAnyNodeIsCancelled() {
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 3));

    assertThat(counts(send(AskOutcome.ENDED, List.of(ask("*", 0)))))
        .isEqualTo(Map.of("h1", 0, "/r1", 0, "*", 0));
    assertThat(state).as("state, as in the scheduler").isEqualTo(KeyState.NEW);
  }

  @Test
  void withdrawsTheNodesOfANameThatIsNoLongerWanted() {
    found("weir:/a", Map.of("h1", 4L));
    found("weir:/b", Map.of("h4", 4L));
    send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("weir:/b", 1), ask("*", 2)));

    List<ResourceRequest> asks = send(AskOutcome.PLACED, List.of(ask("weir:/a", 0), ask("*", 1)));

    assertThat(counts(asks)).isEqualTo(Map.of("h1", 0, "/r1", 0, "h4", 1, "/r2", 1, "*", 1));
  }

  @Test
  void keepsTheRestOfAKeyThatNoLongerNamesFiles() {
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("*", 3)));

    List<ResourceRequest> asks = send(AskOutcome.ENDED, List.of(ask("weir:/a", 0), ask("*", 2)));

    assertThat(counts(asks)).isEqualTo(Map.of("h1", 0, "/r1", 0, "*", 2));
  }

  @Test
  void asksForAnyNodeIfTheFilesAreUnknown() {
    files.put("weir:/a", new LocationResult.Unknown(LocationResult.Why.NOT_THERE));

    List<ResourceRequest> asks = send(AskOutcome.ANYWHERE, named("weir:/a", 2));

    assertThat(counts(asks)).isEqualTo(Map.of("*", 2));
    assertThat(asks.get(0).getRelaxLocality()).isTrue();
  }

  @Test
  void relaxesAStrictAskThatHasNoNodes() {
    files.put("weir:/a", new LocationResult.Unknown(LocationResult.Why.NOT_THERE));
    List<ResourceRequest> sent = named("weir:/a", 2);
    sent.get(1).setRelaxLocality(false);
    sent.get(2).setRelaxLocality(false);

    assertThat(send(AskOutcome.ANYWHERE, sent)).allMatch(ResourceRequest::getRelaxLocality);
  }

  @Test
  void waitsAsLongAsMovingTheBytesWouldTake() {
    found("weir:/a", Map.of("h1", 2 * MB));

    List<ResourceRequest> asks = send(AskOutcome.PLACED, named("weir:/a", 1));

    // 100 ms for the scheduler to notice a free node, and 2 MB at 1 MB/s.
    assertThat(relaxed(asks)).isEqualTo(Map.of("h1", true, "/r1", false, "*", false));
    clock.advance(2_099);
    assertThat(relaxed(asks)).isEqualTo(Map.of("h1", true, "/r1", false, "*", false));
    clock.advance(1);
    assertThat(relaxed(asks)).isEqualTo(Map.of("h1", true, "/r1", true, "*", true));
  }

  @Test
  void doesNotWaitIfSomeContainerHasNoNode() {
    found("weir:/a", Map.of("h1", 2 * MB));
    files.put("weir:/b", new LocationResult.Unknown(LocationResult.Why.NOT_THERE));

    assertThat(send(AskOutcome.PARTLY, List.of(ask("weir:/a", 1), ask("weir:/b", 1), ask("*", 2))))
        .allMatch(ResourceRequest::getRelaxLocality);
    state = KeyState.NEW;
    assertThat(send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("*", 2))))
        .allMatch(ResourceRequest::getRelaxLocality);
  }

  @Test
  void doesNotExtendAWait() {
    found("weir:/a", Map.of("h1", 2 * MB));
    send(AskOutcome.PLACED, named("weir:/a", 2));
    clock.advance(1_000);
    List<ResourceRequest> more = send(AskOutcome.PLACED, named("weir:/a", 5));
    clock.advance(1_100);

    assertThat(more).allMatch(ResourceRequest::getRelaxLocality);
    assertThat(send(AskOutcome.PLACED, named("weir:/a", 4)))
        .allMatch(ResourceRequest::getRelaxLocality);
    // No other wait begins for as long as the wait lasted.
    assertThat(send(AskOutcome.PLACED, named("weir:/a", 5)))
        .allMatch(ResourceRequest::getRelaxLocality);
    clock.advance(2_100);
    assertThat(send(AskOutcome.PLACED, named("weir:/a", 6)))
        .anyMatch(ask -> !ask.getRelaxLocality());
  }

  @Test
  void anAskThatCannotWaitDoesNotEndTheCoolDown() {
    found("weir:/a", Map.of("h1", 2 * MB));
    files.put("weir:/b", new LocationResult.Unknown(LocationResult.Why.NOT_THERE));
    send(AskOutcome.PLACED, named("weir:/a", 1));
    clock.advance(1_500);
    List<ResourceRequest> cut =
        send(AskOutcome.PARTLY, List.of(ask("weir:/a", 1), ask("weir:/b", 1), ask("*", 2)));
    assertThat(cut).allMatch(ResourceRequest::getRelaxLocality);

    clock.advance(1_499);
    assertThat(send(AskOutcome.PLACED, List.of(ask("weir:/a", 2), ask("weir:/b", 0), ask("*", 2))))
        .as("asks during the cool-down")
        .allMatch(ResourceRequest::getRelaxLocality);
    clock.advance(1);
    assertThat(send(AskOutcome.PLACED, named("weir:/a", 3)))
        .anyMatch(ask -> !ask.getRelaxLocality());
  }

  @Test
  void aStrictAskWaitsForTheMaximum() {
    found("weir:/a", Map.of("h1", MB));
    List<ResourceRequest> sent = named("weir:/a", 1);
    sent.get(2).setRelaxLocality(false);

    List<ResourceRequest> asks = send(AskOutcome.PLACED, sent);

    clock.advance(9_999);
    assertThat(relaxed(asks)).containsEntry("*", false);
    clock.advance(1);
    assertThat(relaxed(asks)).containsEntry("*", true);
  }

  @Test
  void keepsTheNodesOfANameDuringARenewedLookup() {
    found("weir:/a", Map.of("h1", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 2));
    files.put("weir:/a", PENDING);

    assertThat(counts(send(AskOutcome.PLACED, named("weir:/a", 1)))).containsEntry("h1", 1);
  }

  @Test
  void keepsTheHostsThatTheApplicationMasterNamesItself() {
    found("weir:/a", Map.of("h1", 4L));
    List<ResourceRequest> asks =
        send(
            AskOutcome.PLACED,
            List.of(
                ask("weir:/a", 1),
                ask("h5", 1),
                ask("/r1", 1),
                ask("/default-rack", 1),
                ask("*", 2)));

    assertThat(counts(asks))
        .isEqualTo(Map.of("h5", 1, "/r1", 2, "h1", 1, "/default-rack", 1, "*", 2));
    assertThat(asks).allMatch(ResourceRequest::getRelaxLocality);
  }

  @Test
  void sumsContainersOnAHostThatTheApplicationMasterNames() {
    found("weir:/a", Map.of("h1", 4L, "h2", 4L));
    send(AskOutcome.PLACED, named("weir:/a", 1));

    assertThat(counts(send(AskOutcome.PLACED, List.of(ask("h1", 1), ask("/r1", 1), ask("*", 2)))))
        .isEqualTo(Map.of("h1", 2, "/r1", 2, "h2", 1, "/r2", 1, "/default-rack", 1, "*", 2));
    assertThat(counts(send(AskOutcome.PLACED, List.of(ask("h1", 0), ask("/r1", 0), ask("*", 1)))))
        .isEqualTo(Map.of("h1", 1, "h2", 1, "/r1", 1, "/r2", 1, "/default-rack", 0, "*", 1));
  }

  @Test
  void doesNotHoldBesideHostsOfTheApplicationMaster() {
    files.put("weir:/a", PENDING);

    assertThat(
            counts(
                send(
                    AskOutcome.LEFT_ALONE,
                    List.of(ask("weir:/a", 1), ask("h5", 1), ask("/r1", 1), ask("*", 2)))))
        .isEqualTo(Map.of("h5", 1, "/r1", 1, "*", 2));
    found("weir:/a", Map.of("h3", 4L));

    assertThat(counts(heartbeat(AskOutcome.ADDED_LATE))).isEqualTo(Map.of("h3", 1, "/r1", 2));
  }

  @Test
  void inputsAddNothingToTheApplicationsOwnHosts() {
    found("weir:/a", Map.of("h1", 4L));
    inputs = "weir:/a";

    assertThat(
            counts(
                send(
                    AskOutcome.LEFT_ALONE,
                    List.of(ask("weir:/a", 1), ask("h5", 1), ask("/r1", 1), ask("*", 1)))))
        .isEqualTo(Map.of("h5", 1, "/r1", 1, "*", 1));
    assertThat(counts(send(AskOutcome.PLACED, List.of(ask("h5", 0), ask("/r1", 0), ask("*", 1)))))
        .containsEntry("h1", 1);
  }

  @Test
  void keepsTheStrictnessOfTheApplicationMastersOwnNames() {
    found("weir:/a", Map.of("h4", 4L));
    ResourceRequest strict = ask("*", 1);
    strict.setRelaxLocality(false);

    List<ResourceRequest> asks =
        send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("h5", 1), ask("/r1", 1), strict));

    assertThat(relaxed(asks)).containsEntry("*", false).containsEntry("/r2", false);
  }

  @Test
  void waitsByTheRateThatTheApplicationReports() {
    found("weir:/a;rate=524288", Map.of("h1", MB));

    List<ResourceRequest> asks = send(AskOutcome.PLACED, named("weir:/a;rate=524288", 1));

    clock.advance(2_099);
    assertThat(relaxed(asks)).containsEntry("*", false);
    clock.advance(1);
    assertThat(relaxed(asks)).containsEntry("*", true);
  }

  @Test
  void doesNotWaitIfNoNodeWillHaveRoomInTime() {
    found("weir:/a", Map.of("h1", MB));
    roomMillis = 1_101;
    assertThat(send(AskOutcome.PLACED, named("weir:/a", 1)))
        .allMatch(ResourceRequest::getRelaxLocality);
    state = KeyState.NEW;
    roomMillis = 1_100;

    assertThat(send(AskOutcome.PLACED, named("weir:/a", 1)))
        .anyMatch(ask -> !ask.getRelaxLocality());
  }

  @Test
  void limitsNodesByTheOptionK() {
    found("weir:/a;k=1", Map.of("h1", 5L, "h2", 4L));

    assertThat(counts(send(AskOutcome.PLACED, named("weir:/a;k=1", 2))))
        .isEqualTo(Map.of("h1", 2, "/r1", 2, "*", 2));
  }

  @Test
  void leavesAKeyAloneThatNamesARackOfTheCluster() {
    send(AskOutcome.LEFT_ALONE, List.of(ask("weir:/a", 1), ask("/r2", 1), ask("*", 1)));
  }

  @Test
  void dropsARackWithoutNodes() {
    found("weir:/a", Map.of("h1", 4L));

    assertThat(
            counts(
                send(AskOutcome.PLACED, List.of(ask("weir:/a", 1), ask("/odd", 1), ask("*", 1)))))
        .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 1));
  }
}
