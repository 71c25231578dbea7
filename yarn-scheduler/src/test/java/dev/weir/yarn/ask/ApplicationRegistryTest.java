package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.metrics.AskMetrics;
import dev.weir.yarn.wait.LocalityWait;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApplicationRegistryTest {

  private static final long IDLE = 600_000;

  private final ManualClock clock = new ManualClock();
  private final AskMetrics metrics = new AskMetrics();
  private final Set<ApplicationAttemptId> ended = new HashSet<>();
  private final ApplicationRegistry apps =
      new ApplicationRegistry(
          attempt ->
              new ApplicationAsks(
                  attempt,
                  new KeyPlanner(
                      new AskSettings(0, new LocalityWait(0, 0, 1), true, IDLE),
                      new AskWriter(clock, true)),
                  metrics),
          metrics,
          ended::contains,
          IDLE);

  @Test
  void keepsAnAttemptUntilItIsForgotten() {
    ApplicationAsks begun = begin(1, 1);

    assertThat(find(1, 1)).isSameAs(begun);
    assertThat(find(2, 1)).isNull();
    apps.forget(begun.attempt().getApplicationId());
    assertThat(find(1, 1)).isNull();
    assertThat(apps.size()).isZero();
  }

  @Test
  void aNewAttemptReplacesTheOld() {
    begin(1, 1);

    assertThat(find(1, 2)).isNull();
    ApplicationAsks second = begin(1, 2);

    assertThat(find(1, 2)).isSameAs(second);
    assertThat(find(1, 1)).isNull();
    assertThat(apps.size()).isEqualTo(1);
  }

  @Test
  void forgetsASilentApplication() {
    begin(1, 1);
    begin(2, 1);
    clock.advance(IDLE);
    find(2, 1);
    clock.advance(ApplicationRegistry.SWEEP_MILLIS);
    begin(3, 1);

    assertThat(find(1, 1)).isNull();
    assertThat(find(2, 1)).isNotNull();
    assertThat(apps.size()).isEqualTo(2);
  }

  @Test
  void forgetsSilentApplicationsAtLookups() {
    begin(1, 1);
    begin(2, 1);
    clock.advance(IDLE);
    find(2, 1);
    clock.advance(ApplicationRegistry.SWEEP_MILLIS);
    find(2, 1);

    assertThat(apps.size()).isEqualTo(1);
  }

  @Test
  void forgetsAnEndedAttempt() {
    begin(1, 1);
    begin(2, 1);
    ended.add(attempt(1, 1));
    find(2, 1);
    assertThat(apps.size()).isEqualTo(2);
    clock.advance(ApplicationRegistry.SWEEP_MILLIS);
    find(2, 1);

    assertThat(apps.size()).isEqualTo(1);
    assertThat(find(1, 1)).isNull();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < ApplicationRegistry.MAX_APPLICATIONS; i++) {
      begin(i, 1);
    }

    assertThat(apps.begin(attempt(-1, 1), clock.getAsLong())).isNull();
    assertThat(apps.begin(attempt(5, 2), clock.getAsLong())).isNotNull();
    clock.advance(IDLE + 1);
    assertThat(apps.begin(attempt(-1, 1), clock.getAsLong())).isNotNull();
    assertThat(apps.size()).isEqualTo(1);
  }

  private ApplicationAsks begin(int application, int attempt) {
    return Objects.requireNonNull(apps.begin(attempt(application, attempt), clock.getAsLong()));
  }

  private @Nullable ApplicationAsks find(int application, int attempt) {
    return apps.find(attempt(application, attempt), clock.getAsLong());
  }

  private static ApplicationAttemptId attempt(int application, int attempt) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, application), attempt);
  }
}
