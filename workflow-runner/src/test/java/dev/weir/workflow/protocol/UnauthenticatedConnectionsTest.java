package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionsTest {

  private static final Duration GRACE = Duration.ofHours(1);

  private final AtomicLong now = new AtomicLong();
  private final UnauthenticatedConnections callers =
      new UnauthenticatedConnections(2, GRACE, now::get);
  private final List<String> evicted = new ArrayList<>();

  private UnauthenticatedConnections.Place enter(String name) throws InterruptedException {
    return callers.enter(() -> evicted.add(name));
  }

  @Test
  void excessConnectionEvictsTheOldest() throws Exception {
    UnauthenticatedConnections.Place first = enter("first");
    UnauthenticatedConnections.Place second = enter("second");
    now.addAndGet(GRACE.toNanos());

    UnauthenticatedConnections.Place third = enter("third");

    assertThat(evicted).containsExactly("first");
    assertThat(first.leave()).isFalse();
    assertThat(second.leave()).isTrue();
    assertThat(third.leave()).isTrue();
  }

  @Test
  void authenticatedConnectionFreesItsPlaceAndIsNotEvicted() throws Exception {
    UnauthenticatedConnections.Place first = enter("first");
    enter("second");

    assertThat(first.leave()).isTrue();
    enter("third");

    assertThat(evicted).isEmpty();
  }

  @Test
  void newCallerWaitsWhileAllOthersAreRecent() throws Exception {
    UnauthenticatedConnections.Place first = enter("first");
    enter("second");
    List<UnauthenticatedConnections.Place> late = new ArrayList<>();
    Thread third =
        new Thread(
            () -> {
              try {
                late.add(enter("third"));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    third.start();
    await().until(() -> third.getState() == Thread.State.TIMED_WAITING);

    assertThat(first.leave()).isTrue();

    third.join();
    assertThat(late).hasSize(1);
    assertThat(evicted).isEmpty();
  }
}
