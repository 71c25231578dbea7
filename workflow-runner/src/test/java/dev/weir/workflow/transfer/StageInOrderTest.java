package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs are fetched in an order that depends on the label of the attempt. */
class StageInOrderTest {

  private static final int MANY = 30;
  private static final long LARGE = 100;

  @TempDir private Path temp;

  /** One thread, so that transfers happen in the order in which they start. */
  private final ExecutorService pool = Executors.newSingleThreadExecutor();

  private final Transfers transfers = new Transfers(pool, pool, pool, LARGE);
  private final List<String> names = new ArrayList<>();
  private DirectoryStore store;

  @BeforeEach
  void write() throws Exception {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    for (int i = 0; i < MANY; i++) {
      names.add("small" + i);
      store.write("/small" + i, "content " + i);
    }
  }

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  private List<String> fetched(String label) throws Exception {
    List<String> fetched = Collections.synchronizedList(new ArrayList<>());
    store.beforeFetch(target -> fetched.add(String.valueOf(target.getFileName())));
    TaskOrder order =
        new TaskOrder(
            "task",
            1,
            label,
            List.of("true"),
            names.stream().map(name -> new FileSlot(name, "/" + name, 1)).toList(),
            List.of(),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE);
    try (Sandbox sandbox = Sandbox.create(temp.resolve("sandboxes"), label)) {
      new StageIn(store, transfers).run(order, sandbox);
    }
    return List.copyOf(fetched);
  }

  @Test
  void attemptsWithTheSameInputsStartWithDifferentOnes() throws Exception {
    List<String> first = fetched("1-1");
    List<String> second = fetched("1-2");

    assertThat(first).containsExactlyInAnyOrderElementsOf(names).isNotEqualTo(names);
    assertThat(second).containsExactlyInAnyOrderElementsOf(names).isNotEqualTo(names);
    assertThat(second).isNotEqualTo(first);
    assertThat(fetched("1-1")).as("the order depends only on the label").isEqualTo(first);
  }

  @Test
  void largeInputsGoLast() throws Exception {
    names.add(0, "large");
    store.write("/large", "x".repeat((int) LARGE));

    assertThat(fetched("1-1").get(MANY)).isEqualTo("large");
  }
}
