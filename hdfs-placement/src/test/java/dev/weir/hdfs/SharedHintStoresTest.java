package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedHintStoresTest {
  private static final HintSettings HERE = new HintSettings("here:2181", "/weir");
  private static final HintSettings THERE = new HintSettings("there:2181", "/weir");

  private final InMemoryHintStore sets = new InMemoryHintStore(Clock.systemUTC());
  private final List<HintSettings> opened = new ArrayList<>();
  private final SharedHintStores stores =
      new SharedHintStores(
          settings -> {
            opened.add(settings);
            return sets.withRole(settings.quorum());
          });

  @Test
  void theSameSettingsShareAStoreAndOthersDoNot() throws Exception {
    HintStore first = stores.open(HERE);
    HintStore second = stores.open(HERE);
    HintStore other = stores.open(THERE);
    assertThat(opened).containsExactly(HERE, THERE);
    first.put(new HintSet("a", "alice", null, List.of()));
    assertThat(second.get("a")).isPresent();
    assertThat(second.snapshot().version()).isEqualTo(first.snapshot().version());
    other.close();
    assertThat(isOpen(HERE)).isTrue();
    assertThat(isOpen(THERE)).isFalse();
  }

  @Test
  void theLastCloseClosesTheStoreAndTheNextOpenCreatesAnother() throws Exception {
    HintStore first = stores.open(HERE);
    HintStore second = stores.open(HERE);
    first.close();
    first.close();
    assertThat(isOpen(HERE)).as("closing twice counts once").isTrue();
    second.close();
    assertThat(isOpen(HERE)).isFalse();
    try (HintStore third = stores.open(HERE)) {
      assertThat(third.awaitLoaded(Duration.ZERO)).isTrue();
      assertThat(opened).containsExactly(HERE, HERE);
    }
  }

  private boolean isOpen(HintSettings settings) throws IOException, InterruptedException {
    return sets.awaitApplied(0, settings.quorum(), Duration.ZERO);
  }
}
