package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintSet;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.hints.HintRegistration;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunHintsTest {

  private static final HintRegistration.Owner OWNER = new HintRegistration.Owner("run-1", "ann");

  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  /** A publisher that answers on request of the test. */
  private final class SlowPublisher implements HintPublisher {
    private final @Nullable String failure;

    SlowPublisher(@Nullable String failure) {
      this.failure = failure;
    }

    @Override
    public Duration life() {
      return Duration.ofHours(1);
    }

    @Override
    public Optional<String> put(HintSet set) throws InterruptedException {
      events.add("put " + set.id());
      release.await();
      return Optional.ofNullable(failure);
    }

    @Override
    public void keep(String id, Instant end) {}

    @Override
    public void remove(String id) {
      events.add("remove " + id);
    }

    @Override
    public void close() {
      events.add("close");
    }
  }

  private RunHints hints(@Nullable String failure) {
    return new RunHints(
        (heard, isLeft) ->
            Optional.of(
                HintRegistration.register(
                    new SlowPublisher(failure),
                    OWNER,
                    List.of(),
                    new HintRegistration.Context(Clock.systemUTC(), heard, isLeft))));
  }

  @Test
  void hintsAreAwaitedOnlyWhenNeeded() throws Exception {
    try (RunHints hints = hints(null)) {
      hints.start(notes::add);
      await().until(() -> events.contains("put run-1"));
      assertThat(hints.inForce()).as("the NameNode has not applied them").isFalse();

      release.countDown();
      hints.await();

      assertThat(hints.inForce()).isTrue();
      assertThat(notes).isEmpty();
    }
    assertThat(events).containsExactly("put run-1", "remove run-1", "close");
  }

  @Test
  void hintsMayBeInForceUntilTheirRegistrationHasFailed() throws Exception {
    try (RunHints hints = hints("too slow")) {
      assertThat(hints.mayBeInForce()).as("registration has not started").isFalse();
      hints.start(notes::add);
      assertThat(hints.mayBeInForce()).as("the NameNode may apply them").isTrue();

      release.countDown();
      hints.await();

      assertThat(hints.mayBeInForce()).isFalse();
    }
  }

  @Test
  void registeredHintsMayBeInForce() throws Exception {
    release.countDown();
    try (RunHints hints = hints(null)) {
      hints.start(notes::add);
      hints.await();

      assertThat(hints.mayBeInForce()).isTrue();
    }
  }

  @Test
  void hintsThatTheNameNodeHasNotAppliedAreNotInForce() throws Exception {
    release.countDown();
    try (RunHints hints = hints("too slow")) {
      hints.start(notes::add);
      hints.await();

      assertThat(hints.inForce()).isFalse();
      assertThat(notes).containsExactly("too slow");
    }
    assertThat(events).contains("remove run-1");
  }

  @Test
  void runThatEndsDuringPublicationLeavesNoHints() {
    RunHints hints = hints(null);
    hints.start(notes::add);
    await().until(() -> events.contains("put run-1"));

    hints.close();

    assertThat(events).containsExactly("put run-1", "remove run-1", "close");
  }

  @Test
  void replacedMasterLeavesTheHints() throws Exception {
    release.countDown();
    try (RunHints hints = hints(null)) {
      hints.start(notes::add);
      hints.await();

      hints.leave();
    }
    assertThat(events).containsExactly("put run-1", "close");
  }

  @Test
  void masterReplacedDuringPublicationLeavesTheHints() {
    RunHints hints = hints(null);
    hints.start(notes::add);
    await().until(() -> events.contains("put run-1"));

    hints.leave();
    hints.close();

    assertThat(events).containsExactly("put run-1", "close");
  }

  @Test
  void endRemovesTheHints() throws Exception {
    release.countDown();
    try (RunHints hints = hints(null)) {
      hints.start(notes::add);
      hints.await();
    }
    assertThat(events).containsExactly("put run-1", "remove run-1", "close");
  }

  @Test
  void failureIsNoted() throws Exception {
    RunHints hints =
        new RunHints(
            (heard, isLeft) -> {
              throw new IOException("no such user");
            });
    hints.start(notes::add);
    hints.await();

    assertThat(notes).containsExactly(HintPublisher.WITHOUT + "no such user");
    assertThat(hints.inForce()).isFalse();
    hints.close();
  }

  @Test
  void runWithoutHintsNotesNothing() throws Exception {
    try (RunHints none = RunHints.none()) {
      none.start(notes::add);
      none.await();
      assertThat(none.inForce()).isFalse();
    }
    RunHints.none().close();
    assertThat(notes).isEmpty();
  }
}
