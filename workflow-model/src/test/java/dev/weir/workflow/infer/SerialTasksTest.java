package dev.weir.workflow.infer;

import static dev.weir.workflow.infer.InferredIndex.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files that several tasks read one after another. */
class SerialTasksTest {
  private static final int READERS = 10;

  private static Task task(String id, List<String> inputs, List<String> outputs, String... after) {
    return new Task(id, "read", List.of("run"), inputs, outputs, List.of(after), 1);
  }

  private static Hint hint(List<Task> readers) {
    List<Task> tasks = new ArrayList<>(readers);
    tasks.add(new Task("make", "make", List.of("run"), List.of(), List.of("x"), 1));
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.inputs().forEach(id -> files.put(id, new DataFile(id, 10_000_000)));
      task.outputs().forEach(id -> files.put(id, new DataFile(id, 10_000_000)));
    }
    Workflow workflow = new Workflow("w", tasks, files);
    ClusterShape withoutCaches =
        new ClusterShape(19, 3).with(new FetchModel(FetchModel.USUAL_BYTES_PER_SECOND, false));
    List<InferredHint> hints = HintInference.infer(workflow, "/d", withoutCaches);
    return index(hints).lookup("/d/x").orElseThrow().rule().hint();
  }

  @Test
  void serialReadersNeedOneReplica() {
    List<Task> chain = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      List<String> inputs = i == 0 ? List.of("x") : List.of("x", "out" + (i - 1));
      chain.add(task("t" + i, inputs, List.of("out" + i)));
    }
    Hint local = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    assertThat(hint(chain)).isEqualTo(local);
  }

  @Test
  void tasksBetweenTheReadersDoNotMatter() {
    List<Task> chain =
        List.of(
            task("a", List.of("x"), List.of("1")),
            task("between", List.of("1"), List.of("2")),
            task("b", List.of("x", "2"), List.of("3")),
            task("idle", List.of(), List.of(), "b"),
            task("c", List.of("x"), List.of("4"), "idle"));
    Hint local = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    assertThat(hint(chain)).isEqualTo(local);
  }

  @Test
  void parallelReadersNeedMoreReplicas() {
    List<Task> apart = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      // Each is deeper in the graph than the one before, and waits for no other reader.
      apart.add(task("pre" + i, i == 0 ? List.of() : List.of("p" + (i - 1)), List.of("p" + i)));
      apart.add(task("t" + i, List.of("x", "p" + i), List.of()));
    }
    assertThat(hint(apart))
        .isEqualTo(HintPresets.broadcast(READERS).toBuilder().lifetime(Lifetime.scratch()).build());
  }
}
