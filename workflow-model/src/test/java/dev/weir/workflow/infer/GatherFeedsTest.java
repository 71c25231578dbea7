package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Six tasks of each type: make writes raw, middle follows all of them, feed reads raw, join
 * gathers.
 */
class GatherFeedsTest {

  private static final int PARTS = 6;
  private static final long SIZE = 1 << 20;

  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<Task> tasks = new ArrayList<>();

  private String file(String id, long size) {
    files.put(id, new DataFile(id, size));
    return id;
  }

  private void task(String id, List<String> inputs, List<String> outputs) {
    String type = id.replaceAll("[0-9]", "");
    tasks.add(new Task(id, type, List.of(), inputs, outputs, 1));
  }

  private void chain(long raw, long fed) {
    chain(raw, fed, "model");
  }

  /**
   * Creates the graph.
   *
   * @param waitsFor the other input of feed
   */
  private void chain(long raw, long fed, String waitsFor) {
    List<String> raws = new ArrayList<>();
    List<String> feds = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      raws.add(file("raw" + i, raw));
      feds.add(file("fed" + i, fed));
      task("make" + i, List.of(), List.of("raw" + i));
      task("feed" + i, List.of("raw" + i, waitsFor), List.of("fed" + i));
    }
    task("middle", raws, List.of(file("model", 10)));
    task("join", feds, List.of(file("all", 10)));
  }

  private Optional<String> group(String file) {
    WorkflowGraph graph = new Workflow("w", tasks, files).graph();
    GatherFinder gathers = GatherFinder.of(graph, new ClusterShape(PARTS, 3));
    return GatherFeeds.of(graph, gathers, TaskLevels.of(graph)).group(file);
  }

  @Test
  void waitingInputsAreCopiedToTheGather() {
    chain(SIZE, SIZE);

    assertThat(group("raw0")).contains("join");
    assertThat(group("fed0")).as("is gathered itself").isEmpty();
    assertThat(group("model")).as("comes last").isEmpty();
    assertThat(group("all")).isEmpty();
  }

  @Test
  void noCopiesForATaskThatIsReadyAtOnce() {
    file("given", 10);
    chain(SIZE, SIZE, "given");

    assertThat(group("raw0")).isEmpty();
  }

  @Test
  void inputsMuchLargerThanTheGatheredOutputsAreNotCopied() {
    chain(SIZE * 5 / 4, SIZE);
    assertThat(group("raw0")).contains("join");

    tasks.clear();
    chain(SIZE * 5 / 4 + 1, SIZE);
    assertThat(group("raw0")).isEmpty();
  }

  @Test
  void smallFilesAreNotCopied() {
    chain(GatherFeeds.MIN_BYTES - 1, GatherFeeds.MIN_BYTES - 1);

    assertThat(group("raw0")).isEmpty();
  }

  @Test
  void filesReadByTwoFeedersAreNotCopied() {
    chain(SIZE, SIZE);
    task("feed9", List.of("raw0", "model"), List.of(file("fed9", SIZE)));
    tasks.replaceAll(
        task ->
            task.id().equals("join")
                ? new Task(
                    "join",
                    "join",
                    List.of(),
                    files.keySet().stream().filter(id -> id.startsWith("fed")).toList(),
                    List.of("all"),
                    1)
                : task);

    assertThat(group("raw0")).isEmpty();
    assertThat(group("raw1")).contains("join");
  }

  @Test
  void tasksThatMostlyFeedOtherTasksDoNotQualify() {
    chain(SIZE, SIZE);
    tasks.removeIf(task -> task.id().equals("feed0"));
    task("feed0", List.of("raw0", "model"), List.of("fed0", file("log0", SIZE)));

    assertThat(group("raw0")).as("half of them").isEmpty();
    assertThat(group("raw1")).contains("join");
  }

  @Test
  void inputsOfTheWorkflowAreNotMoved() {
    chain(SIZE, SIZE);
    tasks.removeIf(task -> task.id().equals("make0"));

    assertThat(group("raw0")).isEmpty();
    assertThat(group("raw1")).contains("join");
  }

  @Test
  void withoutRoomForCopiesFilesStayWhereTheyAre() {
    chain(SIZE, SIZE);
    Workflow workflow = new Workflow("w", tasks, files);
    // Copies use at most half of the free space.
    long enough = 2 * 2 * PARTS * SIZE;

    assertThat(isCopied(workflow, enough)).isTrue();
    assertThat(isCopied(workflow, enough - 1)).isFalse();
  }

  @Test
  void feedCopiesNeedRoomForAllGathers() {
    chain(SIZE, SIZE);
    List<Task> one = List.copyOf(tasks);
    for (Task task : one) {
      tasks.add(
          new Task(
              "other-" + task.id(),
              task.type(),
              List.of(),
              task.inputs().stream().map(this::other).toList(),
              task.outputs().stream().map(this::other).toList(),
              1));
    }
    Workflow workflow = new Workflow("w", tasks, files);
    long enough = 2 * 2 * 2 * PARTS * SIZE;

    assertThat(isCopied(workflow, enough)).isTrue();
    assertThat(isCopied(workflow, enough - 1)).isFalse();
    assertThat(HintInference.infer(workflow, "/d", new ClusterShape(PARTS, 3, enough - 1)))
        .extracting(InferredHint::reason)
        .anyMatch(reason -> reason.contains("no room for copies on the nodes that gather"));
  }

  private String other(String id) {
    return file("other/" + id, Objects.requireNonNull(files.get(id)).sizeBytes());
  }

  private static boolean isCopied(Workflow workflow, long free) {
    ClusterShape shape = new ClusterShape(PARTS, 3, free);
    return InferredIndex.index(HintInference.infer(workflow, "/d", shape))
        .lookup("/d/raw0")
        .orElseThrow()
        .rule()
        .hint()
        .placement()
        .orElseThrow()
        .toString()
        .contains("join");
  }
}
