package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintSet;
import dev.weir.workflow.hints.HintPublisher;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunHintsTest {

  private static final HintSet SET = new HintSet("run-1", "ann", null, List.of());
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<String> kept = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private Duration life = Duration.ofHours(1);

  /** A publisher that answers on request of the test. */
  private final class SlowPublisher implements HintPublisher {
    private final @Nullable String failure;

    SlowPublisher(@Nullable String failure) {
      this.failure = failure;
    }

    @Override
    public Duration life() {
      return life;
    }

    @Override
    public Optional<String> put(HintSet set) throws InterruptedException {
      events.add("put " + set.id());
      release.await();
      return Optional.ofNullable(failure);
    }

    @Override
    public void keep(String id, Instant end) {
      kept.add(id + " until " + end);
    }

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
    return new RunHints(heard -> Optional.of(new SlowPublisher(failure)), SET, CLOCK);
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
  void hintsAreExtendedDuringTheRun() {
    release.countDown();
    life = Duration.ofMillis(40);
    try (RunHints hints = hints(null)) {
      hints.start(notes::add);
      await().until(() -> kept.size() >= 2);
    }
    assertThat(kept).containsOnly("run-1 until " + CLOCK.instant().plus(life));
    assertThat(events).containsExactly("put run-1", "remove run-1", "close");
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
            heard -> {
              throw new IOException("no such user");
            },
            SET,
            CLOCK);
    hints.start(notes::add);
    hints.await();

    assertThat(notes).containsExactly(HintPublisher.WITHOUT + "no such user");
    assertThat(hints.inForce()).isFalse();
    hints.close();
  }

  @Test
  void runWithoutHintsNotesNothing() throws Exception {
    try (RunHints none = new RunHints(heard -> Optional.empty(), SET, CLOCK)) {
      none.start(notes::add);
      none.await();
      assertThat(none.inForce()).isFalse();
    }
    new RunHints(heard -> Optional.empty(), SET, CLOCK).close();
    assertThat(notes).isEmpty();
  }
}
