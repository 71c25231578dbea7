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

/** What keys that wait leave to those of lower priority. */
class HeadroomReservationTest {
  private static final Resource ONE = Resource.newInstance(1024, 1);
  private static final int LOW = 9;

  private final ManualExecutor executor = new ManualExecutor();
  private @Nullable Resource headroom = Resource.newInstance(4096, 4);
  private final HeadroomReservation precedence = of(executor);
  private long now = 1_000;

  private HeadroomReservation of(Executor looks) {
    return new HeadroomReservation(() -> headroom, new DefaultResourceCalculator(), looks);
  }

  @Test
  void onlyWhatIsLeftBesideThoseThatWaitIsForOthers() {
    precedence.update(key(1), begun(), ONE, 2);
    precedence.update(key(2), begun(), ONE, 1);
    know();
    assertThat(passes(LOW)).isTrue();

    precedence.update(key(3), begun(), ONE, 1);
    assertThat(passes(LOW)).isFalse();
    // Those before it want three, and it the fourth.
    assertThat(passes(3)).isTrue();
    assertThat(precedence.mayBlock(1)).isFalse();
  }

  @Test
  void whatIsGivenIsTakenOffBeforeTheNextLook() {
    precedence.update(key(1), begun(), ONE, 3);
    know();
    assertThat(passes(LOW)).isTrue();
    precedence.given(ONE);
    assertThat(passes(LOW)).isFalse();
    headroom = Resource.newInstance(5120, 5);
    now += HeadroomReservation.LOOK_EVERY_MILLIS;
    assertThat(passes(LOW)).isFalse();
    executor.runAll();
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void aWaitCountsFromItsBeginningToItsEnd() {
    NodeWait wait = NodeWait.fromFirstDeclined(100, 100, false);
    precedence.update(key(1), wait, ONE, 4);
    know();
    assertThat(passes(LOW)).isTrue();
    assertThat(wait.declined(now, true)).isTrue();
    assertThat(wait.declined(now, true)).isFalse();
    precedence.changed(key(1));
    assertThat(passes(LOW)).isFalse();
    now += 99;
    assertThat(passes(LOW)).isFalse();
    now += HeadroomReservation.LOOK_EVERY_MILLIS;
    know();
    assertThat(passes(LOW)).isTrue();
    assertThat(precedence.isEmpty()).isTrue();
  }

  @Test
  void whoHasComeOrNeedsNoNodeMoreIsForgotten() {
    precedence.update(key(1), begun(), ONE, 4);
    precedence.update(key(2), begun(), ONE, 4);
    precedence.update(key(1), begun(), ONE, 0);
    precedence.update(key(2), null, null, 0);
    precedence.update(key(3), null, null, 0);
    assertThat(precedence.isEmpty()).isTrue();
    assertThat(precedence.mayBlock(LOW)).isFalse();
  }

  @Test
  void aHeadroomThatIsLateBlocksNoAsk() {
    precedence.update(key(1), begun(), ONE, 4);
    assertThat(passes(LOW)).isFalse();
    now += HeadroomReservation.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
    executor.runAll();
    assertThat(executor.waiting()).isZero();
    headroom = null;
    know();
    now += HeadroomReservation.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void nobodyWaitsWhereItCannotBeLookedOrTheLookFails() {
    HeadroomReservation refused =
        of(
            task -> {
              throw new RejectedExecutionException("full");
            });
    refused.update(key(1), begun(), ONE, 4);
    Resource first = Objects.requireNonNull(refused.before(LOW, now));
    assertThat(refused.hasRoomBeside(first, ONE, now)).isTrue();

    HeadroomReservation failing =
        new HeadroomReservation(
            () -> {
              throw new IllegalStateException("broken");
            },
            new DefaultResourceCalculator(),
            ManualExecutor.atOnce());
    failing.update(key(1), begun(), ONE, 4);
    failing.hasRoomBeside(first, ONE, now);
    assertThat(failing.hasRoomBeside(first, ONE, now + HeadroomReservation.LATE_MILLIS)).isTrue();
  }

  private boolean passes(int priority) {
    Resource first = precedence.before(priority, now);
    return first == null || precedence.hasRoomBeside(first, ONE, now);
  }

  /** Has the headroom looked at. */
  private void know() {
    precedence.hasRoomBeside(ONE, ONE, now);
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
