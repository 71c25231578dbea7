package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.LogLimit;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LazyHintsTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void aConfigurationWithoutAQuorumMeansNoHints() {
    try (LazyHints hints = LazyHints.of(new Configuration(false), LazyHintsTest::mustNotOpen)) {
      assertThat(hints.isEnabled()).isFalse();
      hints.start();
      assertThat(hints.lookup("/a")).isEmpty();
      assertThat(hints.awaitLoaded(Duration.ZERO)).isFalse();
    }
  }

  @Test
  void anInvalidConfigurationMeansNoHints() {
    Configuration conf = new Configuration(false);
    conf.set(HintSettings.QUORUM_KEY, "localhost:2181");
    conf.set(HintSettings.ROOT_KEY, "no/path");
    try (LazyHints hints = LazyHints.of(conf, LazyHintsTest::mustNotOpen)) {
      assertThat(hints.isEnabled()).isFalse();
    }
  }

  @Test
  void opensTheStoreOnceAndOnlyWhenStarted() {
    InMemoryHintStore store = store();
    AtomicInteger opened = new AtomicInteger();
    LazyHints hints =
        new LazyHints(
            () -> {
              opened.incrementAndGet();
              return store;
            },
            LogLimit.oncePerMinute());
    assertThat(hints.lookup("/a")).isEmpty();
    assertThat(opened).hasValue(0);
    hints.start();
    hints.start();
    assertThat(hints.awaitLoaded(LONG)).isTrue();
    assertThat(hints.lookup("/a")).isPresent();
    assertThat(opened).hasValue(1);
    hints.close();
    assertThat(hints.lookup("/a")).isEmpty();
  }

  @Test
  void opensNothingAfterClose() {
    LazyHints hints =
        new LazyHints(() -> mustNotOpen(new HintSettings("q", "/weir")), LogLimit.oncePerMinute());
    hints.close();
    hints.start();
    assertThat(hints.awaitLoaded(Duration.ofMillis(10))).as("loaded after close").isFalse();
    assertThat(hints.lookup("/a")).isEmpty();
  }

  @Test
  void doesNotWaitForAStoreThatNeverOpens() {
    CountDownLatch never = new CountDownLatch(1);
    LazyHints hints =
        new LazyHints(
            () -> {
              await().forever().until(() -> never.getCount() == 0);
              return store();
            },
            LogLimit.oncePerMinute());
    hints.start();
    assertThat(hints.lookup("/a")).isEmpty();
    assertThat(hints.awaitLoaded(Duration.ofMillis(1))).isFalse();
    hints.close();
    never.countDown();
  }

  @Test
  void doesNotWaitForAZooKeeperThatNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Configuration conf = new Configuration(false);
      conf.set(HintSettings.QUORUM_KEY, "127.0.0.1:" + silent.getLocalPort());
      try (LazyHints hints = LazyHints.of(conf, ZooKeeperHintStore::open)) {
        hints.start();
        assertThat(hints.awaitLoaded(Duration.ofMillis(1))).isFalse();
        assertThat(hints.lookup("/a")).isEmpty();
      }
    }
  }

  @Test
  void aStoreThatCannotBeOpenedMeansNoHints() {
    LazyHints hints =
        new LazyHints(
            () -> {
              throw new NoClassDefFoundError("no such library");
            },
            LogLimit.oncePerMinute());
    hints.start();
    await().atMost(LONG).until(() -> !hints.awaitLoaded(Duration.ofMillis(10)));
    assertThatCode(() -> hints.lookup("/a")).doesNotThrowAnyException();
  }

  @Test
  void anInterruptedThreadStaysInterrupted() {
    LazyHints hints = new LazyHints(LazyHintsTest::store, LogLimit.oncePerMinute());
    Thread.currentThread().interrupt();
    assertThat(hints.awaitLoaded(LONG)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  private static HintStore mustNotOpen(HintSettings settings) {
    throw new AssertionError("opened for " + settings);
  }

  private static InMemoryHintStore store() {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    Rule rule = new Rule(PathPattern.parse("/a"), HintPresets.pipeline());
    store.put(new HintSet("s", "alice", null, List.of(rule)));
    return store;
  }
}
