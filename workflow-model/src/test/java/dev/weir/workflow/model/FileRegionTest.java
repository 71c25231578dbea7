package dev.weir.workflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileRegionTest {

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "work", List.of("run"), inputs, outputs, 1);
  }

  private static Workflow workflow(Map<String, Long> sizes, Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    sizes.forEach((id, bytes) -> files.put(id, new DataFile(id, bytes)));
    return new Workflow("w", List.of(tasks), files);
  }

  private static ThrowableAssertAlternative<InvalidWorkflowException> refused(
      Map<String, Long> sizes, Task... tasks) {
    return assertThatExceptionOfType(InvalidWorkflowException.class)
        .isThrownBy(() -> workflow(sizes, tasks));
  }

  @Test
  void namesOfRegionsRoundTrip() {
    FileRegion region = new FileRegion("d/a b@2.dat", 67_108_864, 1);
    assertThat(region.id()).isEqualTo("d/a b@2.dat@67108864+1");
    assertThat(FileRegion.parse(region.id())).contains(region);
    assertThat(region.end()).isEqualTo(67_108_865);
    assertThat(FileRegion.fileOf("x@0+5")).isEqualTo("x");
    assertThat(FileRegion.fileOf("x")).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "@0+1",
        "x@",
        "x@1",
        "x@0+0",
        "x@01+1",
        "x@0+01",
        "x@-1+1",
        "x@1+",
        "x@0+1.gz",
        "me@host+1",
        "x@9999999999999999999+1"
      })
  void otherNamesAreFiles(String name) {
    assertThat(FileRegion.parse(name)).isEmpty();
  }

  @Test
  void tasksReadTheFilesOfTheirRegions() {
    Task task = task("t", List.of("b", "x@0+5", "x@10+5", "y@3+1"), List.of());
    assertThat(task.inputs()).containsExactly("b", "x", "y");
    assertThat(task.regionsOf("x"))
        .containsExactly(new FileRegion("x", 0, 5), new FileRegion("x", 10, 5));
    assertThat(task.regionsOf("b")).isEmpty();
    assertThat(task.mentionedInputs()).containsExactly("b", "x@0+5", "x@10+5", "y@3+1");
    assertThat(task.withNeeds(new TaskNeeds(2, 0, 0)).regions()).isEqualTo(task.regions());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> task("t", List.of("x", "x@0+5"), List.of()))
        .withMessageContaining("'x' whole and the region 'x@0+5'");
  }

  @Test
  void readersOfRegionsFollowTheProducer() {
    WorkflowGraph graph =
        workflow(
                Map.of("x", 100L),
                task("make", List.of(), List.of("x")),
                task("first", List.of("x@0+40"), List.of()),
                task("second", List.of("x@40+60"), List.of()))
            .graph();
    assertThat(graph.parents("second")).extracting(Task::id).containsExactly("make");
    assertThat(graph.consumers("x")).extracting(Task::id).containsExactly("first", "second");
    assertThat(graph.bytesRead(graph.task("first"), "x")).isEqualTo(40);
    refused(Map.of("x", 100L), task("t", List.of("x@40+61"), List.of()))
        .withMessageContaining("reads the region 'x@40+61' of a file of 100 bytes; write");
  }

  @Test
  void writtenRegionsAreJoinedByAnAdditionalTask() {
    Workflow workflow =
        workflow(
            Map.of("r", 1L),
            task("b", List.of(), List.of("d/x@40+60")),
            task("a", List.of(), List.of("d/x@0+40")),
            task("read", List.of("d/x"), List.of("r")));
    Task join = workflow.tasks().get(3);
    assertThat(join.joinsRegions()).isTrue();
    assertThat(join.id()).isEqualTo("join-d_x");
    assertThat(join.inputs()).containsExactly("d/x@0+40", "d/x@40+60");
    assertThat(join.outputs()).containsExactly("d/x");
    assertThat(workflow.files()).containsEntry("d/x", new DataFile("d/x", 100));
    assertThat(workflow.files()).containsEntry("d/x@40+60", new DataFile("d/x@40+60", 60));
    WorkflowGraph graph = workflow.graph();
    assertThat(graph.parents("read")).containsExactly(join);
    assertThat(graph.parents(join.id())).extracting(Task::id).containsExactly("a", "b");
    assertThat(new Workflow("w", workflow.tasks(), workflow.files()))
        .as("made of its own parts, as when it is read again")
        .isEqualTo(workflow);
  }

  @Test
  void regionsOfOtherFilesAreNotJoined() {
    Task task = new Task("t", "work", List.of(), List.of("x@0+1"), List.of("y"), 0);
    assertThat(task.joinsRegions()).isFalse();
    assertThat(task.inputs()).containsExactly("x");
  }

  @Test
  void refusesRegionsThatDoNotCoverTheFile() {
    refused(
            Map.of(),
            task("a", List.of(), List.of("x@0+4")),
            task("b", List.of(), List.of("x@5+1")))
        .withMessageContaining("no task writes the bytes 4 to 5 of x; let the regions");
    refused(
            Map.of(),
            task("a", List.of(), List.of("x@0+4")),
            task("b", List.of(), List.of("x@3+2")))
        .withMessageContaining("'x@3+2' overlaps another that is written; let the regions");
    refused(Map.of("x", 5L), task("a", List.of(), List.of("x@0+4")))
        .withMessageContaining("end at byte 4, and it is declared with 5 bytes; correct");
    refused(
            Map.of("x", 4L),
            task("a", List.of(), List.of("x@0+4")),
            task("b", List.of(), List.of("x")))
        .withMessageContaining(
            "the task 'b' writes the file 'x', and other tasks write regions of it");
    refused(
            Map.of("y", 1L),
            task("a", List.of("y"), List.of("x@0+4")),
            task("b", List.of("x"), List.of("y")))
        .withMessageContaining("cycle");
  }
}
