package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Znodes of older and newer versions of Weir in a real ZooKeeper, as they are during an upgrade.
 * The texts must not change: jars of the first version read and write them.
 */
class ZnodeFormatsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String PARTS = "/weir/parts/00000000-0000-0000-0000-000000000001";
  private static final String JSON =
      "{\"id\":\"first\",\"owner\":\"alice\",\"rules\":[{\"pattern\":\"/first/**\",\"hint\":"
          + "{\"placement\":{\"kind\":\"local\"},\"replication\":{\"mode\":\"lazy\"}}}]}";

  private TestingServer server;
  private CuratorFramework client;
  private HintStore store;

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer(true);
    client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    client.start();
    store = ZooKeeperHintStore.open(new HintSettings(server.getConnectString(), "/weir"));
  }

  @AfterEach
  void stop() throws Exception {
    store.close();
    client.close();
    server.close();
  }

  @Test
  void writesWhatTheFirstVersionReads() throws Exception {
    Rule rule = new Rule(PathPattern.parse("/first/**"), HintPresets.pipeline());

    store.put(new HintSet("first", "alice", null, List.of(rule)));

    assertThat(client.getData().forPath("/weir/sets/first")).asString().isEqualTo(JSON);
  }

  @Test
  void readsSetsOfTheFirstVersion() throws Exception {
    byte[] packed =
        Base64.getDecoder()
            .decode(
                "H4sIAAAAAAACAyWMQQrDMAwE/7LHEMjdXyk5CFtQEUUOrktpg/5eGR93Z5gbUpBwUT64YE"
                    + "X9GLc4SCVz7PZWfiE97lB652bBtmlvyxLCU6wjBVbKfPIch9ioas2k8KjwFT3qUm3gsxYe"
                    + "mH5fuPvuf7ptA9GGAAAA");
    String split = JSON.replace("first", "split");
    write("/weir/sets/first", JSON);
    write("/weir/sets/packed", packed);
    write(PARTS, "split");
    write(PARTS + "/0", split.substring(0, 60));
    write(PARTS + "/1", split.substring(60));
    write(
        "/weir/sets/split",
        "{\"parts\":\"00000000-0000-0000-0000-000000000001\",\"count\":2,\"length\":132,\"crc32c\":2626821528}");

    awaitRules(3);

    for (String id : List.of("first", "packed", "split")) {
      assertThat(store.snapshot().lookup("/" + id + "/file").orElseThrow().rule().hint())
          .as(id)
          .isEqualTo(HintPresets.pipeline());
    }
  }

  @Test
  void readsTheKnownRulesOfANewerVersion() throws Exception {
    write(
        "/weir/sets/newer",
        """
        {"format":2,"id":"newer","owner":"alice","priority":3,"rules":[
        {"pattern":"/known/**","hint":{"placement":{"kind":"local"},"replication":{"mode":"lazy"}}},
        {"pattern":"/unknown/**","hint":{"placement":{"kind":"orbit"}}}]}""");

    awaitRules(1);

    assertThat(store.snapshot().lookup("/known/file")).isPresent();
    assertThat(store.snapshot().lookup("/unknown/file")).isEmpty();
  }

  @Test
  void readsTheAppliedVersionOfANewerVersion() throws Exception {
    write(
        "/weir/applied/namenode/1",
        "{\"version\":8,\"host\":\"nn2\",\"process\":12,\"zone\":\"a\"}");

    assertThat(store.watchers()).extracting(WatcherInfo::version).containsExactly(8L);
  }

  private void awaitRules(int rules) throws Exception {
    // A later write tells when the earlier ones have been read.
    long version = store.put(new HintSet("last", "alice", null, List.of()));
    await().atMost(LONG).until(() -> store.snapshot().version() >= version);
    assertThat(store.snapshot().size()).isEqualTo(rules);
  }

  private void write(String path, String text) throws Exception {
    write(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String path, byte[] data) throws Exception {
    client.create().orSetData().creatingParentsIfNeeded().forPath(path, data);
  }
}
