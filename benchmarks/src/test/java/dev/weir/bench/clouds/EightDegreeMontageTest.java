package dev.weir.bench.clouds;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class EightDegreeMontageTest {
  private static final Percentage NEARLY = Percentage.withPercentage(5);

  @Test
  void wholeWorkflowHasThePublishedNumbers() {
    Workflow whole = EightDegreeMontage.share(1);

    assertThat(whole.tasks()).hasSize(10_429);
    assertThat(numbers(whole))
        .isEqualTo(
            Map.of(
                "mProjectPP", 2102L,
                "mDiffFit", 6172L,
                "mConcatFit", 1L,
                "mBgModel", 1L,
                "mBackground", 2102L,
                "mImgtbl", 17L,
                "mAdd", 17L,
                "mShrink", 16L,
                "mJPEG", 1L));
    assertThat((double) whole.files().size()).isCloseTo(23_000, NEARLY);
    assertThat(only(whole, "mConcatFit").inputs()).hasSize(6_173);
  }

  @Test
  void wholeWorkflowReadsAndWritesThePublishedBytes() {
    Workflow whole = EightDegreeMontage.share(1);

    assertThat(bytes(whole.graph().workflowInputs())).isCloseTo(4.3e9, NEARLY);
    assertThat(meanInputs(whole, "mDiffFit")).isCloseTo(16.56e6, NEARLY);
    assertThat(meanInputs(whole, "mBackground")).isCloseTo(8.36e6, NEARLY);
    assertThat(meanInputs(whole, "mAdd")).isCloseTo(1102.57e6, NEARLY);
    assertThat(meanInputs(whole, "mShrink")).isCloseTo(411.5e6, NEARLY);
    assertThat(meanInputs(whole, "mConcatFit")).isCloseTo(1.95e6, NEARLY);
  }

  @Test
  void shareHasAllTypesAndTiles() {
    Workflow eighth = EightDegreeMontage.share(8);

    assertThat(numbers(eighth))
        .containsEntry("mProjectPP", 263L)
        .containsEntry("mDiffFit", 772L)
        .containsEntry("mAdd", 17L)
        .containsEntry("mJPEG", 1L);
    assertThat(eighth.graph().finalOutputs()).extracting(DataFile::id).contains("jpeg");
  }

  @Test
  void fewTasksWriteAllInputsOfTheConcatenation() {
    Workflow concatenation = EightDegreeMontage.concatenation(16);

    assertThat(concatenation.tasks()).hasSize(17);
    assertThat(only(concatenation, "mConcatFit").inputs()).hasSize(6_173).doesNotHaveDuplicates();
    assertThat(concatenation.graph().workflowInputs()).hasSize(1);
  }

  private static Map<String, Long> numbers(Workflow workflow) {
    return workflow.tasks().stream()
        .collect(Collectors.groupingBy(Task::type, Collectors.counting()));
  }

  private static Task only(Workflow workflow, String type) {
    List<Task> all = workflow.tasks().stream().filter(task -> task.type().equals(type)).toList();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private static double meanInputs(Workflow workflow, String type) {
    return workflow.tasks().stream()
        .filter(task -> task.type().equals(type))
        .mapToDouble(task -> bytes(task.inputs().stream().map(id -> file(workflow, id)).toList()))
        .average()
        .orElse(0);
  }

  private static DataFile file(Workflow workflow, String id) {
    return requireNonNull(workflow.files().get(id));
  }

  private static double bytes(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::sizeBytes).sum();
  }
}
