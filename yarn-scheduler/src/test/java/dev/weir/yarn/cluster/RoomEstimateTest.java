package dev.weir.yarn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.junit.jupiter.api.Test;

/** Estimates of when a node will have room, and of how long containers still run. */
class RoomEstimateTest {

  private static final ResourceCalculator RULE = new DominantResourceCalculator();
  private static final Resource TOTAL = Resource.newInstance(8_192, 8);
  private static final ApplicationId APP = ApplicationId.newInstance(1, 1);
  private static final ContainerRunTimes.Kind KIND = new ContainerRunTimes.Kind(APP, 3);

  private final ContainerRunTimes runTimes = new ContainerRunTimes();

  @Test
  void aNodeWithRoomHasItNow() {
    assertThat(
            new RoomEstimate(RULE, new RoomEstimate.Space(TOTAL, size(1)), List.of(), 0)
                .millisUntilRoom(size(1), 0))
        .isZero();
  }

  @Test
  void coresAreIgnoredIfTheSchedulerIgnoresThem() {
    RoomEstimate.Space noCores = new RoomEstimate.Space(TOTAL, Resource.newInstance(4_096, 0));
    Resource need = Resource.newInstance(1_024, 1);
    assertThat(
            new RoomEstimate(new DefaultResourceCalculator(), noCores, List.of(), 0)
                .millisUntilRoom(need, 0))
        .isZero();
    assertThat(new RoomEstimate(RULE, noCores, List.of(), 0).millisUntilRoom(need, 0))
        .isEqualTo(RoomEstimate.NEVER);
  }

  @Test
  void aFullNodeHasRoomWhenEnoughContainersEnd() {
    assertThat(full(0).millisUntilRoom(size(1), 0)).isEqualTo(10);
    assertThat(full(0).millisUntilRoom(size(2), 0)).isEqualTo(20);
    assertThat(full(0).millisUntilRoom(size(3), 0)).isEqualTo(30);
    assertThat(full(2).millisUntilRoom(size(3), 0)).isEqualTo(10);
  }

  @Test
  void theEstimateDecreasesWithTime() {
    RoomEstimate full = full(0);
    Resource need = size(2);
    assertThat(full.millisUntilRoom(need, 0)).isEqualTo(20);
    assertThat(full.millisUntilRoom(need, 15)).isEqualTo(5);
    assertThat(full.millisUntilRoom(need, 25)).isZero();
    // The caller may change its request afterwards.
    need.setMemorySize(1);
    assertThat(full.millisUntilRoom(size(2), 0)).isEqualTo(20);
    assertThat(full.millisUntilRoom(size(9), 25)).isEqualTo(RoomEstimate.NEVER);
  }

  private static RoomEstimate full(int free) {
    List<RoomEstimate.Occupant> occupants =
        List.of(
            new RoomEstimate.Occupant(30, size(4)),
            new RoomEstimate.Occupant(10, size(1)),
            new RoomEstimate.Occupant(20, size(1)));
    return new RoomEstimate(RULE, new RoomEstimate.Space(TOTAL, size(free)), occupants, 0);
  }

  @Test
  void aNodeThatIsTooSmallNeverHasRoom() {
    assertThat(
            new RoomEstimate(RULE, new RoomEstimate.Space(TOTAL, size(8)), List.of(), 0)
                .millisUntilRoom(size(9), 0))
        .isEqualTo(RoomEstimate.NEVER);
    assertThat(
            new RoomEstimate(RULE, new RoomEstimate.Space(TOTAL, size(0)), List.of(), 0)
                .millisUntilRoom(size(1), 0))
        .isEqualTo(RoomEstimate.NEVER);
  }

  @Test
  void anUnknownContainerHasRunHalfOfItsLife() {
    assertThat(runTimes.remaining(KIND, 700)).isEqualTo(700);
    ran(1, 1_000);
    assertThat(runTimes.remaining(KIND, 700)).isEqualTo(700);
  }

  @Test
  void aContainerEndsLikeSimilarOnes() {
    for (int i = 1; i <= 5; i++) {
      ran(i, i * 1_000L);
    }

    assertThat(runTimes.remaining(KIND, 0)).isEqualTo(3_000);
    assertThat(runTimes.remaining(KIND, 3_500)).isEqualTo(1_500);
    assertThat(runTimes.remaining(KIND, 5_000)).isEqualTo(5_000);
    assertThat(runTimes.remaining(new ContainerRunTimes.Kind(APP, 4), 100)).isEqualTo(100);
  }

  @Test
  void onlyRecentDurationsCount() {
    for (int i = 1; i <= 10; i++) {
      ran(i, 1_000_000);
    }
    for (int i = 11; i <= 10 + ContainerRunTimes.SAMPLES; i++) {
      ran(i, 10);
    }

    assertThat(runTimes.remaining(KIND, 0)).isEqualTo(10);
  }

  @Test
  void isBounded() {
    for (int i = 1; i <= ContainerRunTimes.MAX_RUNNING + 1; i++) {
      runTimes.started(id(i), 3, 0);
    }
    for (int i = 1; i <= ContainerRunTimes.ENOUGH; i++) {
      runTimes.ended(id(i), 50);
    }
    assertThat(runTimes.remaining(KIND, 20)).isEqualTo(20);
    runTimes.ended(id(ContainerRunTimes.ENOUGH + 1), 50);

    assertThat(runTimes.remaining(KIND, 20)).isEqualTo(30);
  }

  private void ran(int container, long millis) {
    runTimes.started(id(container), 3, 5_000);
    runTimes.ended(id(container), 5_000 + millis);
  }

  private static ContainerId id(int container) {
    return ContainerId.newContainerId(ApplicationAttemptId.newInstance(APP, 1), container);
  }

  private static Resource size(int units) {
    return Resource.newInstance(units * 1_024L, units);
  }
}
