package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ZooKeeperReconcilerStoreTest {
  private static final Instant TIME = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void loadsLatestState() throws Exception {
    List<ExpirableFile> many = new ArrayList<>();
    for (int i = 0; i < 9000; i++) {
      many.add(file("/data/ünï " + i, i % 2 == 0 ? null : TIME.plusSeconds(i)));
    }
    ReconcilerStore.Saved first = new ReconcilerStore.Saved(7, TIME, many);
    ReconcilerStore.Saved second =
        new ReconcilerStore.Saved(8, TIME.plusSeconds(1), List.of(file("/x", null)));
    try (TestingServer server = new TestingServer(true)) {
      HintSettings settings = new HintSettings(server.getConnectString(), "/weir");
      try (ReconcilerStore memory = ZooKeeperReconcilerStore.open(settings)) {
        assertThat(memory.load()).isEmpty();
        memory.save(first);
        assertThat(memory.load()).hasValue(first);
      }
      try (ReconcilerStore memory = ZooKeeperReconcilerStore.open(settings)) {
        assertThat(memory.load()).hasValue(first);
        memory.save(second);
        assertThat(memory.load()).hasValue(second);
      }
    }
  }

  @Test
  void pausedLeaderCannotOverwriteSuccessor() throws Exception {
    try (TestingServer server = new TestingServer(true);
        ReconcilerStore paused = open(server, StoreAccess.OPEN);
        ReconcilerStore first = open(server, StoreAccess.OPEN);
        ReconcilerStore next = open(server, StoreAccess.OPEN)) {
      ReconcilerStore.Saved saved = new ReconcilerStore.Saved(7, TIME, List.of(file("/x", null)));
      assertThat(paused.load()).isEmpty();
      first.save(saved);
      assertThatThrownBy(
              () -> paused.save(new ReconcilerStore.Saved(6, TIME, List.of(file("/y", null)))))
          .hasMessageContaining("another instance has saved in /weir/reconciler/state");
      assertThat(paused.load()).hasValue(saved);
      assertThat(next.load()).hasValue(saved);
      ReconcilerStore.Saved later = new ReconcilerStore.Saved(9, TIME, List.of(file("/z", null)));
      next.save(later);
      assertThatThrownBy(() -> paused.save(new ReconcilerStore.Saved(8, TIME, saved.files())))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> first.save(new ReconcilerStore.Saved(8, TIME, List.of())))
          .isInstanceOf(IOException.class);
      assertThat(next.load()).hasValue(later);
    }
  }

  @Test
  void writesFilesOnlyIfChanged() throws Exception {
    List<ExpirableFile> files = List.of(file("/x", null));
    try (TestingServer server = new TestingServer(true);
        CuratorFramework client =
            CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        ReconcilerStore memory = open(server, StoreAccess.OPEN)) {
      client.start();
      memory.save(new ReconcilerStore.Saved(7, TIME, files));
      List<String> before = client.getChildren().forPath("/weir/reconciler");
      memory.save(new ReconcilerStore.Saved(8, TIME, files));
      assertThat(client.getChildren().forPath("/weir/reconciler"))
          .containsExactlyInAnyOrderElementsOf(before);
      assertThat(memory.load()).hasValue(new ReconcilerStore.Saved(8, TIME, files));
      memory.save(new ReconcilerStore.Saved(9, TIME, List.of(file("/y", null))));
      assertThat(client.getChildren().forPath("/weir/reconciler"))
          .hasSameSizeAs(before)
          .isNotEqualTo(before);
    }
  }

  @Test
  void onlyServiceWritesRecordedFiles() throws Exception {
    try (TestingServer server = new TestingServer(true);
        ReconcilerStore memory = open(server, StoreAccess.closed("weir:secret"));
        ReconcilerStore stranger = open(server, StoreAccess.OPEN)) {
      ReconcilerStore.Saved saved = new ReconcilerStore.Saved(7, TIME, List.of(file("/x", null)));
      memory.save(saved);
      assertThatThrownBy(() -> stranger.save(new ReconcilerStore.Saved(8, TIME, List.of())))
          .isInstanceOf(IOException.class);
      assertThat(memory.load()).hasValue(saved);
    }
  }

  private static ReconcilerStore open(TestingServer server, StoreAccess access) throws IOException {
    return ZooKeeperReconcilerStore.open(
        new HintSettings(server.getConnectString(), "/weir", "", access));
  }

  private static ExpirableFile file(String path, @Nullable Instant expires) {
    ExpirableFile file =
        new ExpirableFile(path, "set", "alice", Duration.ofHours(1), expires, null);
    return expires == null ? file : file.observed(7, TIME);
  }
}
