package dev.weir.yarn.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualExecutor;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The headroom that waiting keys leave to keys of lower priority. */
class HeadroomReservationTest {
  private static final Resource ONE = Resource.newInstance(1024, 1);
  private static final int LOW = 9;

  private final ManualExecutor executor = new ManualExecutor();
  private @Nullable Resource headroom = Resource.newInstance(4096, 4);
  private final HeadroomReservation reservation = of(executor);
  private long now = 1_000;

  private HeadroomReservation of(Executor updates) {
    return new HeadroomReservation(() -> headroom, new DefaultResourceCalculator(), updates);
  }

  @Test
  void lowerKeysUseOnlyTheRest() {
    reservation.update(key(1), begun(), ONE, 2);
    reservation.update(key(2), begun(), ONE, 1);
    updateHeadroom();
    assertThat(passes(LOW)).isTrue();

    reservation.update(key(3), begun(), ONE, 1);
    assertThat(passes(LOW)).isFalse();
    // Higher keys need three units, and this key the fourth.
    assertThat(passes(3)).isTrue();
    assertThat(reservation.mayBlock(1)).isFalse();
  }

  @Test
  void allocatedContainersReduceTheHeadroom() {
    reservation.update(key(1), begun(), ONE, 3);
    updateHeadroom();
    assertThat(passes(LOW)).isTrue();
    reservation.recordAllocated(ONE);
    assertThat(passes(LOW)).isFalse();
    headroom = Resource.newInstance(5120, 5);
    now += HeadroomReservation.UPDATE_EVERY_MILLIS;
    assertThat(passes(LOW)).isFalse();
    executor.runAll();
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void aWaitCountsFromBeginToEnd() {
    NodeWait wait = NodeWait.fromFirstDeclined(100, 100, false);
    reservation.update(key(1), wait, ONE, 4);
    updateHeadroom();
    assertThat(passes(LOW)).isTrue();
    assertThat(wait.declined(now, true)).isTrue();
    assertThat(wait.declined(now, true)).isFalse();
    reservation.waitChanged(key(1));
    assertThat(passes(LOW)).isFalse();
    now += 99;
    assertThat(passes(LOW)).isFalse();
    now += HeadroomReservation.UPDATE_EVERY_MILLIS;
    updateHeadroom();
    assertThat(passes(LOW)).isTrue();
    assertThat(reservation.isEmpty()).isTrue();
  }

  @Test
  void keysThatNoLongerWaitAreRemoved() {
    reservation.update(key(1), begun(), ONE, 4);
    reservation.update(key(2), begun(), ONE, 4);
    reservation.update(key(1), begun(), ONE, 0);
    reservation.update(key(2), null, null, 0);
    reservation.update(key(3), null, null, 0);
    assertThat(reservation.isEmpty()).isTrue();
    assertThat(reservation.mayBlock(LOW)).isFalse();
  }

  @Test
  void aLateHeadroomBlocksNoAsk() {
    reservation.update(key(1), begun(), ONE, 4);
    assertThat(passes(LOW)).isFalse();
    now += HeadroomReservation.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
    executor.runAll();
    assertThat(executor.waiting()).isZero();
    headroom = null;
    updateHeadroom();
    now += HeadroomReservation.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void noKeyIsBlockedIfTheUpdateFails() {
    HeadroomReservation refused =
        of(
            task -> {
              throw new RejectedExecutionException("full");
            });
    refused.update(key(1), begun(), ONE, 4);
    Resource first = Objects.requireNonNull(refused.reservedAbove(LOW, now));
    assertThat(refused.hasRoomBeside(first, ONE, now)).isTrue();

    HeadroomReservation failing =
        new HeadroomReservation(
            () -> {
              throw new IllegalStateException("broken");
            },
            new DefaultResourceCalculator(),
            ManualExecutor.immediate());
    failing.update(key(1), begun(), ONE, 4);
    failing.hasRoomBeside(first, ONE, now);
    assertThat(failing.hasRoomBeside(first, ONE, now + HeadroomReservation.LATE_MILLIS)).isTrue();
  }

  private boolean passes(int priority) {
    Resource first = reservation.reservedAbove(priority, now);
    return first == null || reservation.hasRoomBeside(first, ONE, now);
  }

  /** Updates the headroom. */
  private void updateHeadroom() {
    reservation.hasRoomBeside(ONE, ONE, now);
    executor.runAll();
  }

  private static NodeWait begun() {
    return NodeWait.from(0, 1_000_000, false);
  }

  private static SchedulerRequestKey key(int priority) {
    return SchedulerRequestKey.create(
        ResourceRequest.newBuilder().priority(Priority.newInstance(priority)).build());
  }
}
