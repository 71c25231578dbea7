package dev.weir.bench.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedRunRecordTest {
  @Test
  void nodesWithoutTasksAreWorkersTooAndTransfersAreApart() {
    Task task = new Task("write", "t", List.of(), List.of(), List.of("a.txt"), 0);
    Workflow workflow =
        new Workflow("w", List.of(task), Map.of("a.txt", new DataFile("a.txt", 10)));
    Instant begin = Instant.EPOCH;
    Instant end = begin.plusSeconds(1);

    FifoDispatcher.Transfers transfers =
        new FifoDispatcher.Transfers(0, Duration.ofMillis(200), Duration.ofMillis(300));

    RunRecord run =
        new SharedRunRecord(workflow.graph(), "shared", "master", List.of("n1", "n2"))
            .of(
                "shared-1",
                List.of(new FifoDispatcher.Execution(task, "n1", begin, begin, end, transfers)),
                begin,
                end);

    assertThat(run.workers()).extracting(WorkerRecord::node).containsExactly("n1", "n2");
    assertThat(run.tasks())
        .singleElement()
        .extracting(TaskRecord::phases)
        .isEqualTo(
            new TaskRecord.Phases(
                Duration.ZERO,
                Duration.ofMillis(200),
                Duration.ofMillis(500),
                Duration.ofMillis(300)));
  }
}
