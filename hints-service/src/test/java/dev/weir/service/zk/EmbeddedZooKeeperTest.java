package dev.weir.service.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest {
  private static final HintSet SET =
      new HintSet(
          "a", "alice", null, List.of(new Rule(PathPattern.literal("/x"), HintPresets.reuse())));

  @TempDir Path directory;

  @Test
  void hintsSurviveRestart() throws Exception {
    Path data = directory.resolve("not/yet/there");
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(data, 0);
        HintStore store = open(zooKeeper)) {
      store.put(SET);
    }
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(data, 0);
        HintStore store = open(zooKeeper)) {
      assertThat(store.get("a")).hasValue(SET);
    }
  }

  @Test
  void rejectsDirectoryInUse() throws Exception {
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, 0)) {
      assertThat(zooKeeper.port()).isPositive();
      assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, 0))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "directory "
                  + directory
                  + " is in use by another embedded ZooKeeper; stop that or give another"
                  + " directory");
    }
    EmbeddedZooKeeper.start(directory, 0).close();
  }

  @Test
  void rejectsFileAsDirectory() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "text");
    assertThatThrownBy(() -> EmbeddedZooKeeper.start(file.resolve("data"), 0))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("ZooKeeper's data cannot be stored in " + file.resolve("data"))
        .hasMessageContaining("give a directory that");
  }

  @Test
  void rejectsPortInUseAndUnlocksDirectory() throws Exception {
    try (EmbeddedZooKeeper first = EmbeddedZooKeeper.start(directory.resolve("a"), 0)) {
      Path second = directory.resolve("b");
      assertThatThrownBy(() -> EmbeddedZooKeeper.start(second, first.port()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen on port " + first.port());
      EmbeddedZooKeeper.start(second, 0).close();
    }
  }

  @Test
  void listensOnConfiguredPort() throws Exception {
    int port;
    try (EmbeddedZooKeeper free = EmbeddedZooKeeper.start(directory, 0)) {
      port = free.port();
    }
    Configuration configuration = new Configuration(false);
    configuration.set(HintSettings.QUORUM_KEY, "this-host.example:" + port);
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, configuration)) {
      assertThat(zooKeeper.port()).isEqualTo(port);
    }
  }

  @Test
  void givesItsServiceCredentials() throws Exception {
    String first = credentials(new Configuration(false));
    assertThat(first).matches("weir:[0-9a-f]{32}\n");
    assertThat(credentials(new Configuration(false))).as("after a restart").isEqualTo(first);
    Configuration open = new Configuration(false);
    open.set(StoreAccess.OPEN_KEY, "true");
    assertThat(credentials(open)).isEmpty();
  }

  private String credentials(Configuration configuration) throws IOException {
    int port;
    try (EmbeddedZooKeeper free = EmbeddedZooKeeper.start(directory, 0)) {
      port = free.port();
    }
    configuration.set(HintSettings.QUORUM_KEY, "localhost:" + port);
    EmbeddedZooKeeper.start(directory, configuration).close();
    String auth = configuration.get(StoreAccess.AUTH_KEY, "");
    return auth.isEmpty() ? "" : Files.readString(Path.of(auth.substring(1)));
  }

  @Test
  void rejectsQuorumOfSeveralServers() {
    Configuration configuration = new Configuration(false);
    configuration.set(HintSettings.QUORUM_KEY, "a:1,b:2");
    assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, configuration))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("names 2 servers, 'a:1,b:2', and an embedded ZooKeeper is one");
  }

  private static HintStore open(EmbeddedZooKeeper zooKeeper) {
    return ZooKeeperHintStore.open(new HintSettings("localhost:" + zooKeeper.port(), "/weir"));
  }
}
