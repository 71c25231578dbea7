package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.DiscardedFiles;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.sandbox.Sandboxes;
import dev.weir.workflow.worker.TaskOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs that go to the same node are stored one after another. */
class StageOutIncastTest {
  private static final int ENOUGH = 256 << 10;

  @TempDir private Path temp;
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final List<String> events = new ArrayList<>();
  private final TransferScheduler scheduler =
      new TransferScheduler() {
        @Override
        public boolean appliesTo(long bytes, boolean shared) {
          return false;
        }

        @Override
        public Grant acquire(Request request, Holders holders) throws IOException {
          String group = holders.now().get(0);
          events.add("begin " + group + " " + request.bytes());
          return new Grant(group, null, (whole, fromCache) -> events.add("end " + whole));
        }
      };
  private DirectoryStore store;
  private Sandbox sandbox;

  @BeforeEach
  void makeStore() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    Path places = Files.createDirectory(temp.resolve("sandboxes"));
    sandbox = new Sandboxes(places, new DiscardedFiles(temp.resolve("leavings"))).acquire();
  }

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  private FileSlot made(String name, int bytes, String group) throws IOException {
    Files.write(sandbox.fileToCreate(name), new byte[bytes]);
    return new FileSlot(name, "/data/" + name, bytes).inLane(group);
  }

  private void store(FileSlot... outputs) throws IOException, InterruptedException {
    TaskOrder order = TaskOrders.shell("t", List.of(), Arrays.asList(outputs), "true");
    new StageOut(store, pool, () -> {}, new OutputIncastControl(scheduler, "elsewhere"))
        .run(order, sandbox, o -> Optional.empty(), new InputIntegrity(List.of(), sandbox));
  }

  @Test
  void largeOutputOfAGroupIsStoredWithAGrant() throws Exception {
    store(made("a", ENOUGH, "lane:g"), made("b", ENOUGH, ""), made("c", ENOUGH - 1, "lane:g"));
    assertThat(events).containsExactly("begin lane:g " + ENOUGH, "end true");
    assertThat(temp.resolve("store/data/a")).exists();
  }

  @Test
  void grantEndsWhenStoringFails() throws Exception {
    FileSlot output = made("a", ENOUGH, "lane:g");
    store.injectedFailures.add(new IOException("no room"));
    assertThatThrownBy(() -> store(output)).hasMessageContaining("no room");
    assertThat(events).containsExactly("begin lane:g " + ENOUGH, "end false");
  }
}
