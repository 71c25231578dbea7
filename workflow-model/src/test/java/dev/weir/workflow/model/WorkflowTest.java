package dev.weir.workflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.workflow.model.InvalidWorkflowException.Part;
import dev.weir.workflow.model.InvalidWorkflowException.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.junit.jupiter.api.Test;

class WorkflowTest {

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "t", List.of("t"), inputs, outputs, 1);
  }

  private static Map<String, DataFile> files(String... ids) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (String id : ids) {
      files.put(id, new DataFile(id, 10));
    }
    return files;
  }

  private static InvalidWorkflowException refused(List<Task> tasks, Map<String, DataFile> files) {
    return catchThrowableOfType(
        InvalidWorkflowException.class, () -> new Workflow("w", tasks, files));
  }

  @Test
  void buildsTheGraphOfADiamond() {
    Workflow workflow =
        new Workflow(
            "diamond",
            List.of(
                task("last", List.of("l", "r"), List.of("out")),
                task("left", List.of("mid"), List.of("l")),
                task("right", List.of("mid"), List.of("r")),
                task("first", List.of("in"), List.of("mid"))),
            files("in", "mid", "l", "r", "out", "unused"));
    WorkflowGraph graph = workflow.graph();

    assertThat(graph.topologicalOrder())
        .extracting(Task::id)
        .containsExactly("first", "left", "right", "last");
    assertThat(graph.producer("mid")).map(Task::id).contains("first");
    assertThat(graph.producer("in")).isEmpty();
    assertThat(graph.consumers("mid")).extracting(Task::id).containsExactly("left", "right");
    assertThat(graph.consumers("out")).isEmpty();
    assertThat(graph.parents("last")).extracting(Task::id).containsExactly("left", "right");
    assertThat(graph.children("first")).extracting(Task::id).containsExactly("left", "right");
    assertThat(graph.workflowInputs()).extracting(DataFile::id).containsExactly("in");
    assertThat(graph.finalOutputs()).extracting(DataFile::id).containsExactly("out");
    assertThat(graph.intermediates()).extracting(DataFile::id).containsExactly("mid", "l", "r");
  }

  @Test
  void ordersTasksWithoutFiles() {
    Task second = new Task("b", "t", List.of(), List.of(), List.of(), List.of("a"), 0);
    WorkflowGraph graph =
        new Workflow("w", List.of(second, task("a", List.of(), List.of())), Map.of()).graph();

    assertThat(graph.topologicalOrder()).extracting(Task::id).containsExactly("a", "b");
    assertThat(graph.children("a")).containsExactly(second);
  }

  @Test
  void refusesAndShowsCycles() {
    InvalidWorkflowException e =
        refused(
            List.of(
                task("after", List.of("y"), List.of("z")),
                task("a", List.of("y"), List.of("x")),
                task("b", List.of("x"), List.of("y"))),
            files("x", "y", "z"));

    assertThat(e).hasMessageContaining("cycle").hasMessageContaining("remove one");
    assertThat(e.problem()).containsAnyOf("a -> b -> a", "b -> a -> b");
  }

  @Test
  void refusesTwoProducers() {
    InvalidWorkflowException e =
        refused(
            List.of(task("a", List.of(), List.of("x")), task("b", List.of(), List.of("x"))),
            files("x"));

    assertThat(e).hasMessageContaining("written by two tasks, 'a' and 'b'");
    assertThat(e.place()).contains(new Place(1, Part.OUTPUTS, "x"));
  }

  @Test
  void refusesTaskThatReadsItsOutput() {
    assertThat(refused(List.of(task("a", List.of("x"), List.of("x"))), files("x")))
        .hasMessageContaining("both reads and writes the file 'x'");
  }

  @Test
  void refusesUndeclaredFile() {
    InvalidWorkflowException e =
        refused(List.of(task("a", List.of("x"), List.of("y"))), files("y"));

    assertThat(e).hasMessageContaining("'x', whose size is not declared");
    assertThat(e.place()).contains(new Place(0, Part.INPUTS, "x"));
  }

  @Test
  void refusesTaskIdUsedTwice() {
    assertThat(
            refused(
                List.of(task("a", List.of(), List.of()), task("a", List.of(), List.of())), files()))
        .hasMessageContaining("used a second time (first by task number 0)");
  }

  @Test
  void refusesFileThatIsAlsoDirectory() {
    assertThat(
            refused(List.of(task("a", List.of("d"), List.of("d/x"))), files("d", "d.txt", "d/x")))
        .hasMessageContaining("'d' is also a directory: 'd/x' is in it");
  }

  @Test
  void refusesUnknownPredecessor() {
    Task task = new Task("b", "t", List.of(), List.of(), List.of(), List.of("a"), 0);

    assertThat(refused(List.of(task), files())).hasMessageContaining("'a', which is not a task");
  }

  @Test
  void refusesSizesThatOverflow() {
    Map<String, DataFile> files = files("in", "out");
    files.put("in", new DataFile("in", Long.MAX_VALUE - 5));
    assertThat(refused(List.of(task("t", List.of("in"), List.of("out"))), files))
        .hasMessageContaining("total size of the files overflows, 9223372036854775802 of")
        .hasMessageContaining("'in'")
        .hasMessageContaining("correct its size");
    files.put("in", new DataFile("in", Long.MAX_VALUE - 10));
    assertThat(new Workflow("w", List.of(task("t", List.of("in"), List.of("out"))), files).files())
        .hasSize(2);
  }

  @Test
  void refusesEmptyWorkflow() {
    assertThat(refused(List.of(), files())).hasMessageContaining("has no tasks");
  }

  @Test
  void normalizesFileIds() {
    assertThat(FileIds.normalize("/data//./a/b.fits")).isEqualTo("data/a/b.fits");
    assertThat(FileIds.normalize("a..b")).isEqualTo("a..b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileIds.normalize("a/../b"))
        .withMessageContaining("leaves the data directory");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileIds.normalize("/"))
        .withMessageContaining("names no file");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileIds.normalize("a:b"))
        .withMessageContaining("a colon, which HDFS refuses, at offset 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DataFile("/a", 1))
        .withMessageContaining("write 'a'");
  }

  @Test
  void refusesLineBreaksInFileIdsInWeirsName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileIds.normalize("a\nb"))
        .withMessageContaining("a line break, which Weir refuses, at offset 1");
    assertThat(DFSUtilClient.isValidName("/a\nb")).isTrue();
    assertThat(DFSUtilClient.isValidName("/a:b")).isFalse();
  }

  @Test
  void refusesBadTasks() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> task("..", List.of(), List.of()))
        .withMessageContaining("cannot be a file name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> task("a", List.of("x", "x"), List.of()))
        .withMessageContaining("lists the input 'x' twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Task("a", "t", List.of(), List.of(), List.of(), Double.NaN))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DataFile("a", -1))
        .withMessageContaining("-1");
  }
}
