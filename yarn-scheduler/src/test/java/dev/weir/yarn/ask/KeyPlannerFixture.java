package dev.weir.yarn.ask;

import static dev.weir.yarn.Asks.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.cluster.NodeRankingTest;
import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.metrics.AskOutcome;
import dev.weir.yarn.wait.LocalityWait;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** Plans for one key, with files and a clock that the test sets. */
abstract class KeyPlannerFixture {

  static final long MB = 1024 * 1024;
  static final long HOLD = 1_500;
  static final LocationResult PENDING = new LocationResult.Pending();

  final ManualClock clock = new ManualClock();
  final Map<String, LocationResult> files = new HashMap<>();
  ClusterView cluster = NodeRankingTest.cluster(6);
  private final KeyPlanner planner;
  KeyState state = KeyState.NEW;
  boolean stalled;
  String inputs = "";
  long roomMillis;

  KeyPlannerFixture() {
    this(true);
  }

  /** Creates a planner with strict asks, or one for the allocator. */
  KeyPlannerFixture(boolean strict) {
    planner =
        new KeyPlanner(
            new AskSettings(HOLD, new LocalityWait(0, 10_000, MB), true, 60_000),
            new AskWriter(clock, strict));
  }

  final void found(String name, Map<String, Long> bytesByHost) {
    files.put(name, new LocationResult.Found(bytesByHost));
  }

  final List<ResourceRequest> send(AskOutcome outcome, List<ResourceRequest> asks) {
    return apply(outcome, planner.onAsks(state, asks, context()));
  }

  final List<ResourceRequest> heartbeat(AskOutcome outcome) {
    assertThat(state.needsStep(cluster)).isTrue();
    return apply(outcome, planner.onHeartbeat(state, context()));
  }

  private List<ResourceRequest> apply(AskOutcome outcome, KeyStep step) {
    assertThat(step.outcome()).isEqualTo(outcome);
    state = Objects.requireNonNullElse(step.next(), KeyState.NEW);
    return step.asks();
  }

  private PlanningContext context() {
    return new PlanningContext(
        clock.getAsLong(),
        cluster,
        new PlanningContext.Places() {
          @Override
          public LocationResult locate(AskKey key, String resourceName) {
            return files.getOrDefault(
                resourceName, new LocationResult.Unknown(LocationResult.Why.NOT_THERE));
          }

          @Override
          public boolean stalled() {
            return stalled;
          }

          @Override
          public long millisUntilRoom(Collection<ClusterNode> nodes, ContainerRequirement need) {
            return roomMillis;
          }

          @Override
          public boolean isInputs(String resourceName) {
            return resourceName.equals(inputs);
          }
        });
  }

  static Map<String, Boolean> relaxed(List<ResourceRequest> asks) {
    Map<String, Boolean> relaxed = new HashMap<>();
    asks.forEach(ask -> relaxed.put(ask.getResourceName(), ask.getRelaxLocality()));
    return relaxed;
  }
}
