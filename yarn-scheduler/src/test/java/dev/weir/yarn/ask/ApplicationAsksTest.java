package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static dev.weir.yarn.Asks.counts;
import static dev.weir.yarn.Asks.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.cluster.NodeRankingTest;
import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.LocalityWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

class ApplicationAsksTest {

  private final ManualClock clock = new ManualClock();
  private final AskMetrics metrics = new AskMetrics();
  private final Map<String, LocationResult> files =
      new HashMap<>(Map.of("weir:/a", new LocationResult.Found(Map.of("h1", 1L))));
  private int outstanding = 1;

  /** Hosts and racks that the scheduler still has. */
  private Set<String> left = Set.of("h1", "/r1", "h4", "/r2");

  private final ApplicationAsks app =
      new ApplicationAsks(
          ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
          new KeyPlanner(
              new AskSettings(1_500, new LocalityWait(0, 1_000, 1), true, 1_000),
              new AskWriter(clock, true)),
          metrics);

  @Test
  void passesTheAsksOfOtherKeysThemselves() {
    ResourceRequest host = ask(2, "h4", 1);
    ResourceRequest any = ask(2, "*", 1);
    List<ResourceRequest> asks = new ArrayList<>(named("weir:/a", 1));
    asks.add(host);
    asks.add(any);

    List<ResourceRequest> planned = Objects.requireNonNull(plan(asks).asks());

    assertThat(planned).hasSize(5);
    assertThat(planned.get(0)).isSameAs(host);
    assertThat(planned.get(1)).isSameAs(any);
  }

  @Test
  void leavesUnchangedHeartbeatsAlone() {
    commit(plan(named("weir:/a", 1)));

    assertThat(plan(List.of()).asks()).isNull();
    assertThat(plan(List.of(ask(2, "*", 1))).asks()).isNull();
  }

  @Test
  void keepsNoStateThatTheSchedulerDidNotAccept() {
    ApplicationAsks.Plan refused = plan(named("weir:/a", 1));
    assertThat(app.isEmpty()).isTrue();

    commit(refused);
    assertThat(app.isEmpty()).isFalse();
    plan(named("weir:/a", 0));
    assertThat(app.isEmpty()).isFalse();
    commit(plan(named("weir:/a", 0)));
    assertThat(app.isEmpty()).isTrue();
  }

  @Test
  void followsAKeyAlsoWhenLaterAsksNameNoFiles() {
    commit(plan(List.of(ask("weir:/a", 1), ask("*", 2))));

    assertThat(counts(Objects.requireNonNull(plan(List.of(ask("*", 1))).asks())))
        .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 1));
  }

  @Test
  void dropsInvalidNames() {
    assertThat(
            counts(
                Objects.requireNonNull(
                    plan(List.of(ask("weir:a", 1), ask("weir:/a", 1), ask("*", 2))).asks())))
        .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 2));
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isEqualTo(1);
  }

  @Test
  void dropsExcessNamesButKeepsKnownOnes() {
    List<ResourceRequest> asks = new ArrayList<>();
    String directory = "/" + "d".repeat(30_000) + "/";
    for (int i = 0; i < 300; i++) {
      asks.add(ask("weir:" + directory + i, 1));
    }
    asks.add(ask("*", 300));
    commit(plan(asks));
    long refused = metrics.value(AskMetrics.Event.NAMES_REFUSED);
    assertThat(refused).isBetween(30L, 40L);

    plan(asks);
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isEqualTo(2 * refused);
  }

  @Test
  void weightIncludesPossibleNodes() {
    files.put("weir:/a;k=100", new LocationResult.Found(Map.of("h1", 1L)));
    commit(plan(onKeys("weir:/a;k=100", 1)));
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isBetween(550L, 650L);
  }

  @Test
  void weightGrowsWithContainers() {
    commit(plan(onKeys("weir:/a", 1)));
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isZero();
    commit(plan(onKeys("weir:/a", 1_000)));
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isBetween(550L, 650L);
    long refused = metrics.value(AskMetrics.Event.NAMES_REFUSED);

    commit(plan(onKeys("weir:/a", 0)));
    commit(plan(onKeys("weir:/a", 3)));
    assertThat(metrics.value(AskMetrics.Event.NAMES_REFUSED)).isEqualTo(refused);
  }

  /** Asks on a thousand keys. */
  private static List<ResourceRequest> onKeys(String name, int containers) {
    List<ResourceRequest> asks = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      asks.add(ask(i, name, containers));
      asks.add(ask(i, "*", containers));
    }
    return asks;
  }

  @Test
  void reportsHeldAsks() {
    files.put("weir:/b", new LocationResult.Pending());
    commit(plan(named("weir:/b", 3)));

    assertThat(counts(app.held())).isEqualTo(Map.of("*", 3));
  }

  @Test
  void countsOutcomesAtCommit() {
    ApplicationAsks.Plan plan = plan(named("weir:/a", 1));
    assertThat(metrics.value(AskOutcome.PLACED)).isZero();

    commit(plan);
    assertThat(metrics.value(AskOutcome.PLACED)).isEqualTo(1);
  }

  @Test
  void dropsAKeyOneHeartbeatAfterItsLastContainer() {
    commit(plan(named("weir:/a", 2)));
    containerAllocated();
    commit(plan(List.of()));
    outstanding = 0;
    // The second container is allocated and reported in the answer to this heartbeat.
    assertThat(plan(List.of()).asks()).isNull();
    commit(plan(List.of()));
    containerAllocated();
    commit(plan(List.of()));
    assertThat(app.isEmpty()).as("one heartbeat after the last container was reported").isFalse();

    ApplicationAsks.Plan last = plan(List.of());
    assertThat(counts(Objects.requireNonNull(last.asks()))).isEqualTo(Map.of("*", 0));
    assertThat(last.asks())
        .as("an ask that YARN cannot refuse")
        .singleElement()
        .satisfies(
            ask -> {
              assertThat(ask.getCapability()).isEqualTo(Resource.newInstance(0, 0));
              assertThat(ask.getNodeLabelExpression()).isEmpty();
            });
    commit(last);
    assertThat(app.isEmpty()).isTrue();
    assertThat(metrics.value(AskOutcome.SATISFIED)).isEqualTo(1);
  }

  @Test
  void dropsAKeyWhoseAskForAnyNodeIsZero() {
    for (boolean located : new boolean[] {true, false}) {
      if (!located) {
        files.put("weir:/a", new LocationResult.Pending());
      }
      commit(plan(named("weir:/a", 1)));
      clock.advance(10_000);
      commit(plan(List.of()));
      containerAllocated();
      commit(plan(List.of(ask("*", 0))));

      assertThat(app.isEmpty()).as("located: %s", located).isTrue();
    }
  }

  @Test
  void namesNoNodesWithoutAnAskForAnyNode() {
    outstanding = 0;
    files.put("weir:/a", new LocationResult.Pending());
    commit(plan(List.of(ask("weir:/a", 1))));
    files.put("weir:/a", new LocationResult.Found(Map.of("h1", 1L)));

    assertThat(plan(List.of()).asks()).isNull();
    assertThat(counts(Objects.requireNonNull(plan(List.of(ask("*", 1))).asks())))
        .isEqualTo(Map.of("h1", 1, "/r1", 1, "*", 1));
  }

  @Test
  void dropsAKeyAndKeepsTheApplicationsOwnHosts() {
    satisfyBesideHosts();

    ApplicationAsks.Plan last = plan(List.of());
    assertThat(counts(Objects.requireNonNull(last.asks()))).isEqualTo(Map.of("h1", 0, "/r1", 0));
    assertThat(last.asks()).allMatch(ask -> ask.getNodeLabelExpression() == null);
    commit(last);
    assertThat(app.isEmpty()).isTrue();
  }

  /** The scheduler would keep a name that is withdrawn by itself, with no containers. */
  @Test
  void doesNotWithdrawUsedNames() {
    left = Set.of("/r1", "h4", "/r2");
    satisfyBesideHosts();

    ApplicationAsks.Plan last = plan(List.of());
    assertThat(counts(Objects.requireNonNull(last.asks()))).isEqualTo(Map.of("/r1", 0));
    commit(last);

    left = Set.of("h4", "/r2");
    satisfyBesideHosts();
    last = plan(List.of());
    assertThat(last.asks()).isNull();
    commit(last);
    assertThat(app.isEmpty()).isTrue();
  }

  @Test
  void endsAKeyWhoseOwnHostsAreUsed() {
    left = Set.of("h1", "/r1");
    satisfyBesideHosts();

    assertThat(counts(Objects.requireNonNull(plan(List.of()).asks()))).isEqualTo(Map.of("*", 0));
  }

  private void satisfyBesideHosts() {
    outstanding = 1;
    commit(plan(List.of(ask("weir:/a", 1), ask("h4", 1), ask("/r2", 1), ask("*", 2))));
    containerAllocated();
    outstanding = 0;
    commit(plan(List.of()));
  }

  @Test
  void aFailedHeartbeatDoesNotSatisfyKeys() {
    commit(plan(named("weir:/a", 1)));
    containerAllocated();
    outstanding = 0;
    for (int i = 0; i < 3; i++) {
      assertThat(plan(List.of()).asks()).isNull();
    }
  }

  @Test
  void aKeyWithNewAsksIsNotSatisfied() {
    commit(plan(named("weir:/a", 1)));
    containerAllocated();
    outstanding = 0;
    commit(plan(List.of()));
    commit(plan(named("weir:/a", 1)));
    outstanding = 1;
    commit(plan(List.of()));
    commit(plan(List.of()));

    assertThat(app.isEmpty()).isFalse();
  }

  private void containerAllocated() {
    Container container =
        Container.newInstance(
            ContainerId.newContainerId(app.attempt(), 1),
            NodeId.newInstance("h1", 1),
            "h1:2",
            Resource.newInstance(1, 1),
            Priority.newInstance(1),
            null);
    container.setAllocationRequestId(-1);
    app.countContainers(List.of(container), host -> "/r1");
  }

  private void commit(ApplicationAsks.Plan plan) {
    app.commit(plan);
  }

  private ApplicationAsks.Plan plan(List<ResourceRequest> asks) {
    return app.plan(
        asks,
        new PlanningContext(
            clock.getAsLong(),
            NodeRankingTest.cluster(4),
            new PlanningContext.Places() {
              @Override
              public LocationResult locate(AskKey key, String resourceName) {
                return files.getOrDefault(
                    resourceName, new LocationResult.Unknown(LocationResult.Why.NOT_THERE));
              }

              @Override
              public int outstanding(ResourceRequest any) {
                return outstanding;
              }

              @Override
              public boolean hasAsk(ResourceRequest any, String place) {
                return left.contains(place);
              }

              @Override
              public boolean stalled() {
                return false;
              }
            }));
  }
}
