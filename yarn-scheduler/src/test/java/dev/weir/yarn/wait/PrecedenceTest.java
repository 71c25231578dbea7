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
class PrecedenceTest {
  private static final Resource ONE = Resource.newInstance(1024, 1);
  private static final int LOW = 9;

  private final ManualExecutor executor = new ManualExecutor();
  private @Nullable Resource headroom = Resource.newInstance(4096, 4);
  private final Precedence precedence = of(executor);
  private long now = 1_000;

  private Precedence of(Executor looks) {
    return new Precedence(() -> headroom, new DefaultResourceCalculator(), looks);
  }

  @Test
  void onlyWhatIsLeftBesideThoseThatWaitIsForOthers() {
    precedence.note(key(1), begun(), ONE, 2);
    precedence.note(key(2), begun(), ONE, 1);
    know();
    assertThat(passes(LOW)).isTrue();

    precedence.note(key(3), begun(), ONE, 1);
    assertThat(passes(LOW)).isFalse();
    // Those before it want three, and it the fourth.
    assertThat(passes(3)).isTrue();
    assertThat(precedence.mayPrecede(1)).isFalse();
  }

  @Test
  void whatIsGivenIsTakenOffBeforeTheNextLook() {
    precedence.note(key(1), begun(), ONE, 3);
    know();
    assertThat(passes(LOW)).isTrue();
    precedence.given(ONE);
    assertThat(passes(LOW)).isFalse();
    headroom = Resource.newInstance(5120, 5);
    now += Precedence.LOOK_EVERY_MILLIS;
    assertThat(passes(LOW)).isFalse();
    executor.runAll();
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void aWaitCountsFromItsBeginningToItsEnd() {
    Patience wait = Patience.fromFirstDeclined(100, 100, false);
    precedence.note(key(1), wait, ONE, 4);
    know();
    assertThat(passes(LOW)).isTrue();
    assertThat(wait.declined(now, true)).isTrue();
    assertThat(wait.declined(now, true)).isFalse();
    precedence.changed(key(1));
    assertThat(passes(LOW)).isFalse();
    now += 99;
    assertThat(passes(LOW)).isFalse();
    now += Precedence.LOOK_EVERY_MILLIS;
    know();
    assertThat(passes(LOW)).isTrue();
    assertThat(precedence.isEmpty()).isTrue();
  }

  @Test
  void whoHasComeOrNeedsNoNodeMoreIsForgotten() {
    precedence.note(key(1), begun(), ONE, 4);
    precedence.note(key(2), begun(), ONE, 4);
    precedence.note(key(1), begun(), ONE, 0);
    precedence.note(key(2), null, null, 0);
    precedence.note(key(3), null, null, 0);
    assertThat(precedence.isEmpty()).isTrue();
    assertThat(precedence.mayPrecede(LOW)).isFalse();
  }

  @Test
  void aHeadroomThatIsLateKeepsNobodyWaiting() {
    precedence.note(key(1), begun(), ONE, 4);
    assertThat(passes(LOW)).isFalse();
    now += Precedence.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
    executor.runAll();
    assertThat(executor.waiting()).isZero();
    headroom = null;
    know();
    now += Precedence.LATE_MILLIS;
    assertThat(passes(LOW)).isTrue();
  }

  @Test
  void nobodyWaitsWhereItCannotBeLookedOrTheLookFails() {
    Precedence refused =
        of(
            task -> {
              throw new RejectedExecutionException("full");
            });
    refused.note(key(1), begun(), ONE, 4);
    Resource first = Objects.requireNonNull(refused.before(LOW, now));
    assertThat(refused.hasRoomBeside(first, ONE, now)).isTrue();

    Precedence failing =
        new Precedence(
            () -> {
              throw new IllegalStateException("broken");
            },
            new DefaultResourceCalculator(),
            ManualExecutor.atOnce());
    failing.note(key(1), begun(), ONE, 4);
    failing.hasRoomBeside(first, ONE, now);
    assertThat(failing.hasRoomBeside(first, ONE, now + Precedence.LATE_MILLIS)).isTrue();
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

  private static Patience begun() {
    return Patience.from(0, 1_000_000, false);
  }

  private static SchedulerRequestKey key(int priority) {
    return SchedulerRequestKey.create(
        ResourceRequest.newBuilder().priority(Priority.newInstance(priority)).build());
  }
}
