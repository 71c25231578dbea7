package dev.weir.bench.wow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers are those of the published results, whose GB are GiB. */
class WowPatternTest {
  private static final double GIB = 1L << 30;

  @ParameterizedTest
  @CsvSource({
    "ALL_IN_ONE, 101, 180.3",
    "CHAIN, 200, 180.3",
    "FORK, 101, 99.4",
    "GROUP, 134, 180.3",
    "GROUP_MULTIPLE, 160, 270.5"
  })
  void hasThePublishedTasksAndBytes(WowPattern pattern, int tasks, double written) {
    Workflow workflow = pattern.workflow();

    assertThat(workflow.tasks()).hasSize(tasks);
    assertThat(workflow.files()).hasSize(tasks);
    assertThat(workflow.files().values().stream().mapToLong(DataFile::sizeBytes).sum() / GIB)
        .isCloseTo(written, within(0.05));
    assertThat(workflow.graph().workflowInputs()).isEmpty();
  }

  @Test
  void sourcesHaveAMeanOfNineTenthsOfAGigabyte() {
    long sum = 0;
    for (int i = 1; i <= 100; i++) {
      long bytes = WowPattern.sourceBytes(i);
      assertThat(bytes / GIB).isBetween(0.799, 1.0);
      sum += bytes;
    }
    assertThat(sum / GIB / 100).isCloseTo(0.9, within(0.005));
    assertThat(WowPattern.sourceBytes(1) / GIB).isCloseTo(0.984, within(0.001));
  }

  @Test
  void groupsAreThoseOfTheIndexDividedByTheirSize() {
    Workflow workflow = WowPattern.GROUP_MULTIPLE.workflow();

    assertThat(inputs(workflow, "combine-three-0")).containsExactly("write-1.txt", "write-2.txt");
    assertThat(inputs(workflow, "combine-three-33"))
        .containsExactly("write-99.txt", "write-100.txt");
    assertThat(inputs(workflow, "combine-four-25")).containsExactly("write-100.txt");
    assertThat(workflow.graph().consumers("write-50.txt"))
        .extracting(Task::id)
        .containsExactlyInAnyOrder("combine-three-16", "combine-four-12");
  }

  private static List<String> inputs(Workflow workflow, String task) {
    return workflow.graph().task(task).inputs();
  }
}
