package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintText;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Files that tasks read repeatedly on one node. */
class RereadFilesTest {
  private static final int NODES = 4;
  private static final long BYTES = 10_000_000;
  private static final long ENOUGH = 2 * NODES * BYTES;
  private static final Hint LOCAL = HintText.parse("pipeline,temporary");
  private static final Hint PINNED = HintText.parse("pipeline,temporary,cache");
  private static final String TEN = "10.0 readers each (read), one after another";

  /** A chain of tasks, all of which read one file. */
  private static List<Task> chain(String file, int readers) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      String out = file + "-out";
      List<String> inputs = i == 0 ? List.of(file) : List.of(file, out + (i - 1));
      tasks.add(new Task(file + "-" + i, "read", List.of(), inputs, List.of(out + i), 1));
    }
    return tasks;
  }

  private static Task maker(String file) {
    return new Task("make-" + file, "make", List.of(), List.of(), List.of(file), 1);
  }

  private static Workflow workflow(List<Task> tasks, long bytes) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.inputs().forEach(id -> files.put(id, new DataFile(id, bytes)));
      task.outputs().forEach(id -> files.put(id, new DataFile(id, bytes)));
    }
    return new Workflow("w", tasks, files);
  }

  /** A file that a task makes. */
  private static Workflow made(int readers, long bytes) {
    List<Task> tasks = new ArrayList<>(chain("x", readers));
    tasks.add(maker("x"));
    return workflow(tasks, bytes);
  }

  private static ClusterShape memory(long bytes) {
    return new ClusterShape(
        NODES,
        3,
        ClusterShape.UNBOUNDED,
        bytes,
        new FetchModel(FetchModel.USUAL_BYTES_PER_SECOND, false));
  }

  private static Optional<InferredHint> inferred(Workflow workflow, long memory) {
    return HintInference.infer(workflow, "/d", memory(memory)).stream()
        .filter(hint -> hint.rule().pattern().matches("/d/x"))
        .findFirst();
  }

  private static Hint hint(Workflow workflow, long memory) {
    return inferred(workflow, memory).orElseThrow().rule().hint();
  }

  private static String reason(Workflow workflow, long memory) {
    return inferred(workflow, memory).orElseThrow().reason();
  }

  @Test
  void rereadFilesStayWithTheirWriter() {
    Workflow workflow = made(10, BYTES);

    assertThat(hint(workflow, 0)).isEqualTo(LOCAL);
    assertThat(reason(workflow, 0))
        .isEqualTo("reuse: " + TEN + ": all can run where it is written");
  }

  @Test
  void dataNodesWithMemoryPinTheFile() {
    Workflow workflow = made(10, BYTES);

    assertThat(hint(workflow, ENOUGH)).as("temporary all the same").isEqualTo(PINNED);
    assertThat(reason(workflow, ENOUGH))
        .isEqualTo(
            "reuse: "
                + TEN
                + ": all can run where it is written, where a DataNode pins it in memory for tasks"
                + " that read it from HDFS");
  }

  @Test
  void twoReadersDoNotJustifyAPin() {
    assertThat(hint(made(2, BYTES), ENOUGH)).isEqualTo(LOCAL);
    assertThat(reason(made(2, BYTES), ENOUGH))
        .isEqualTo("2.0 readers each (read), one after another: all can run where it is written");
    assertThat(hint(made(3, BYTES), ENOUGH)).isEqualTo(PINNED);
  }

  @Test
  void noNodePinsMoreThanHalfOfItsMemory() {
    assertThat(hint(made(10, BYTES), ENOUGH - 1)).isEqualTo(LOCAL);
    assertThat(reason(made(10, BYTES), ENOUGH - 1))
        .endsWith("written, but more than half of what DataNodes may pin in memory");
  }

  @Test
  void aClassPinsAtMostHalfOfTheMemory() {
    List<Task> tasks = new ArrayList<>();
    for (String file : List.of("x", "y1", "y2", "y3", "y4")) {
      tasks.add(maker(file));
      tasks.addAll(chain(file, 10));
    }

    assertThat(hint(workflow(tasks, BYTES), ENOUGH)).isEqualTo(LOCAL);
    assertThat(hint(workflow(tasks, BYTES), ENOUGH + 2 * BYTES)).isEqualTo(PINNED);
  }

  @Test
  void smallFilesAreNotPinned() {
    assertThat(hint(made(10, (1 << 20) - 1), ENOUGH)).isEqualTo(LOCAL);
    assertThat(reason(made(10, (1 << 20) - 1), ENOUGH))
        .endsWith(", too small for a pin in memory to pay");
    assertThat(hint(made(10, 1 << 20), ENOUGH)).isEqualTo(PINNED);
  }

  @Test
  void replicatedInputsNeedMoreReadersForAPin() {
    assertThat(inferred(workflow(chain("x", 10), BYTES), 0)).isEmpty();
    assertThat(inferred(workflow(chain("x", 6), BYTES), ENOUGH)).isEmpty();
    assertThat(inferred(workflow(chain("x", 10), BYTES), ENOUGH - 1)).isEmpty();
    assertThat(hint(workflow(chain("x", 7), BYTES), ENOUGH)).isEqualTo(HintPresets.reuse());
    assertThat(reason(workflow(chain("x", 10), BYTES), ENOUGH))
        .startsWith("input of the workflow, reuse: " + TEN + ": one of the DataNodes");
  }

  @Test
  void parallelAndSingleReadersAreUnaffected() {
    List<Task> apart = new ArrayList<>();
    apart.add(maker("x"));
    for (int i = 0; i < 10; i++) {
      apart.add(new Task("t" + i, "read", List.of(), List.of("x"), List.of("o" + i), 1));
    }

    assertThat(hint(workflow(apart, BYTES), ENOUGH))
        .isEqualTo(HintText.parse("broadcast=4,temporary"));
    assertThat(inferred(workflow(apart.subList(1, 11), BYTES), ENOUGH).orElseThrow().rule().hint())
        .isEqualTo(HintPresets.broadcast(4));
    assertThat(hint(made(1, BYTES), ENOUGH)).isEqualTo(LOCAL);
    assertThat(reason(made(1, BYTES), ENOUGH)).startsWith("read by one task");
  }

  @Test
  void keptFilesArePinnedIfReadersSufficeForAllReplicas() {
    assertThat(kept(made(7, BYTES))).isEqualTo("pipeline,reuse");
    assertThat(kept(made(6, BYTES))).isEqualTo("pipeline,keep");
  }

  private static String kept(Workflow workflow) {
    return HintInference.infer(workflow, "/d", memory(ENOUGH), "x"::equals).stream()
        .filter(hint -> hint.rule().pattern().matches("/d/x"))
        .map(hint -> HintText.format(hint.rule().hint()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void hintsOfTheAuthorTakePrecedence() {
    Workflow plain = made(10, BYTES);
    Map<String, DataFile> files = new LinkedHashMap<>(plain.files());
    files.put("x", new DataFile("x", BYTES, "broadcast=2"));
    Workflow written = new Workflow("w", plain.tasks(), files);

    assertThat(hint(written, ENOUGH)).isEqualTo(HintText.parse("broadcast=2"));
    assertThat(reason(written, ENOUGH)).isEqualTo("written in the workflow");
  }

  @Test
  void refusesLessMemoryThanNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory(-1))
        .withMessageContaining("-1 bytes in memory: give 0 or more");
  }
}
