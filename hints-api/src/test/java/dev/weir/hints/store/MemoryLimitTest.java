package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.index.SetMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers of a real ZooKeeper that has more rules than they may hold. */
class MemoryLimitTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int SETS = Integer.getInteger("weir.sets", 50);
  private static final int RULES = 100_000;

  private TestingServer server;
  private HintStore writer;

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer(true);
    writer = ZooKeeperHintStore.open(settings(HintSettings.DEFAULT_MEMORY));
  }

  @AfterEach
  void stop() throws Exception {
    writer.close();
    server.close();
  }

  @Test
  void setsBeyondTheMemoryAreLeftOutUntilThereIsRoom() throws Exception {
    long one = SetMemory.bytes(set("a", 100));
    try (HintStore reader = ZooKeeperHintStore.open(settings(2 * one + one / 2), "namenode")) {
      for (String id : List.of("a", "b", "c", "d")) {
        awaitApplied(writer.put(set(id, 100)));
      }
      assertThat(reader.snapshot().sets()).extracting("id").containsExactly("a", "b");
      assertThat(reader.status().memory())
          .isEqualTo(new StoreStatus.Memory(2 * one, 2 * one + one / 2, 2));

      writer.remove("a");
      await().atMost(LONG).until(() -> reader.status().memory().leftOut() == 1);
      assertThat(reader.snapshot().sets()).extracting("id").containsExactly("b", "c");

      writer.remove("d");
      await().atMost(LONG).until(() -> reader.status().memory().leftOut() == 0);
    }
  }

  @Test
  void aSetThatGrowsTooLargeKeepsItsLastVersion() throws Exception {
    long limit = SetMemory.bytes(set("a", 100)) + 10;
    try (HintStore reader = ZooKeeperHintStore.open(settings(limit), "namenode")) {
      awaitApplied(writer.put(set("a", 100)));
      awaitApplied(writer.put(set("a", 200)));
      assertThat(reader.snapshot().rules("a")).hasSize(100);
      assertThat(reader.status().memory().leftOut()).isEqualTo(1);
      awaitApplied(writer.put(set("a", 99)));
      assertThat(reader.snapshot().rules("a")).hasSize(99);
      assertThat(reader.status().memory().leftOut()).isZero();
    }
  }

  @Test
  void aReaderThatStartsHoldsWhatFits() throws Exception {
    for (int i = 0; i < 20; i++) {
      writer.put(set("s" + i, 50));
    }
    long one = SetMemory.bytes(set("s1", 50));
    try (HintStore reader = ZooKeeperHintStore.open(settings(7 * one + one / 2))) {
      assertThat(reader.awaitLoaded(LONG)).isTrue();
      assertThat(reader.snapshot().setCount()).isEqualTo(7);
      assertThat(reader.status().memory().leftOut()).isEqualTo(13);
      assertThat(reader.snapshot().bytes()).isLessThanOrEqualTo(7 * one + one / 2);
    }
  }

  /** The reader has a heap of 512 MB; all sets would take 1.5 GB. */
  @Test
  @Tag("nightly")
  void fiftySetsOfAHundredThousandRulesFitIntoASmallHeap() throws Exception {
    for (int i = 0; i < SETS; i++) {
      writer.put(set("set-" + i, RULES));
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process reader =
        new ProcessBuilder(
                java,
                "-Xmx512m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryLimitTest.class.getName(),
                server.getConnectString())
            .inheritIO()
            .start();
    assertThat(reader.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(reader.exitValue()).isZero();
  }

  /** The reader with a small heap: follows the sets of a ZooKeeper and looks a path up. */
  public static void main(String[] quorum) throws Exception {
    HintSettings settings = new HintSettings(quorum[0], "/weir", "", StoreAccess.OPEN, 256L << 20);
    try (HintStore store = ZooKeeperHintStore.open(settings)) {
      boolean loaded = store.awaitLoaded(Duration.ofMinutes(4));
      StoreStatus status = store.status();
      System.out.println(status);
      boolean fits = status.memory().bytes() <= status.memory().limit();
      boolean leftOut = status.sets() + status.memory().leftOut() == SETS;
      System.exit(loaded && fits && leftOut && status.sets() > 0 ? 0 : 1);
    }
  }

  private void awaitApplied(long version) throws IOException, InterruptedException {
    assertThat(writer.awaitApplied(version, "namenode", LONG)).isTrue();
  }

  private HintSettings settings(long memory) {
    return new HintSettings(server.getConnectString(), "/weir", "", StoreAccess.OPEN, memory);
  }

  private static HintSet set(String id, int rules) {
    return new HintSet(
        id,
        "alice",
        null,
        IntStream.range(0, rules)
            .mapToObj(
                i ->
                    new Rule(
                        PathPattern.literal("/user/alice/runs/" + id + "/output-" + i),
                        HintPresets.pipeline()))
            .toList());
  }
}
