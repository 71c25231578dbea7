package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntermediateFilesTest {

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, id, List.of("run"), inputs, outputs, 1);
  }

  private static Workflow workflow(Map<String, String> hints, Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      List.of(task.mentionedInputs(), task.outputs())
          .forEach(
              ids ->
                  ids.stream()
                      .filter(id -> !id.contains("@"))
                      .forEach(
                          id -> files.put(id, new DataFile(id, 200, hints.getOrDefault(id, "")))));
    }
    return new Workflow("test", List.of(tasks), files);
  }

  /** in → a → x → b → end, and a → spare. */
  private static Workflow chain(Map<String, String> hints) {
    return workflow(
        hints,
        task("a", List.of("in"), List.of("x", "spare")),
        task("b", List.of("x"), List.of("end")));
  }

  @Test
  void findsFilesWrittenAndReadByTasks() {
    assertThat(IntermediateFiles.of(chain(Map.of()), file -> false)).containsExactly("x");
  }

  @Test
  void filesTheUserKeepsAreExcluded() {
    assertThat(IntermediateFiles.of(chain(Map.of()), file -> file.id().equals("x"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "keep, false",
    "reuse, false",
    "'broadcast=2,keep', false",
    "temporary=12h, false",
    "temporary, true",
    "broadcast=2, true",
    "stock, true",
  })
  void lifetimeHintOfTheAuthorCounts(String hint, boolean temporary) {
    assertThat(IntermediateFiles.of(chain(Map.of("x", hint)), file -> false).contains("x"))
        .isEqualTo(temporary);
  }

  @Test
  void anOutputThatNoTaskReadsIsIntermediateIfItsAuthorCallsItTemporary() {
    Workflow workflow =
        chain(Map.of("spare", "temporary", "end", "temporary=12h", "in", "temporary"));

    assertThat(IntermediateFiles.of(workflow, file -> false))
        .containsExactlyInAnyOrder("x", "spare");
    assertThat(IntermediateFiles.readWhole(workflow)).containsExactlyInAnyOrder("x", "spare");
    assertThat(workflow.graph().finalOutputs()).extracting(DataFile::id).containsExactly("end");
  }

  @Test
  void filesReadInRegionsAreExcluded() {
    Workflow workflow =
        workflow(
            Map.of(),
            task("a", List.of("in"), List.of("big", "small")),
            task("left", List.of("big@0+100", "small"), List.of("l")),
            task("right", List.of("big@100+100"), List.of("r")),
            task("end", List.of("l", "r"), List.of("end")));

    assertThat(IntermediateFiles.of(workflow, file -> false))
        .as("a is not run again while both are there; left and right are in any case")
        .containsExactlyInAnyOrder("l", "r");
  }

  @Test
  void inputsOfRepeatedTasksAreExcluded() {
    Workflow workflow =
        workflow(
            Map.of(),
            task("part", List.of("in@0+100"), List.of("p")),
            task("a", List.of("in"), List.of("x")),
            task("b", List.of("x"), List.of("y")),
            task("both", List.of("p", "y"), List.of("z")),
            task("c", List.of("z"), List.of("end")));

    assertThat(IntermediateFiles.of(workflow, file -> false))
        .as("'both' is run again, and would have b run again for y")
        .containsExactlyInAnyOrder("x", "p", "z");
  }

  @Test
  void joinedRegionsAndTheirInputsAreExcluded() {
    Workflow workflow =
        workflow(
            Map.of(),
            task("a", List.of("in"), List.of("x")),
            task("left", List.of("x"), List.of("big@0+100")),
            task("right", List.of("in"), List.of("big@100+100")),
            task("read", List.of("big"), List.of("end")));

    assertThat(IntermediateFiles.of(workflow, file -> false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "keep, true",
    "'broadcast=2,keep', true",
    "temporary=12h, false",
    "temporary, false",
    "broadcast=2, false",
    "'', false",
  })
  void keptFilesOfTheAuthorAreWanted(String hint, boolean wanted) {
    assertThat(IntermediateFiles.wanted(chain(Map.of("x", hint, "end", "keep")), file -> false))
        .isEqualTo(wanted ? Set.of("x") : Set.of());
  }

  @Test
  void namedFilesCountAsResults() {
    assertThat(IntermediateFiles.wanted(chain(Map.of()), file -> !file.equals("spare")))
        .containsExactly("x");
  }
}
