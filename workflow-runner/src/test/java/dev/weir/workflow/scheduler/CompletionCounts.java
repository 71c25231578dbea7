package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesLost;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesReleased;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks how often tasks were done according to the journal. */
final class CompletionCounts {

  private final WorkflowGraph graph;

  CompletionCounts(WorkflowGraph graph) {
    this.graph = graph;
  }

  /**
   * Each task is done once, and at most once more for each of its files that was lost or deleted.
   */
  void check(Workflow workflow, List<DispatchRecord> journal) {
    Map<String, Integer> successes = new HashMap<>();
    Map<String, Integer> losses = new HashMap<>();
    for (DispatchRecord record : journal) {
      if (record instanceof AttemptEnded ended && ended.report().result() == Result.SUCCEEDED) {
        successes.merge(ended.report().task(), 1, Integer::sum);
      } else if (record instanceof FilesLost lost) {
        lost.files().forEach(file -> losses.merge(producer(file), 1, Integer::sum));
      } else if (record instanceof FilesReleased gone) {
        gone.files().forEach(file -> losses.merge(producer(file), 1, Integer::sum));
      }
    }
    for (Task task : workflow.tasks()) {
      int count = successes.getOrDefault(task.id(), 0);
      assertThat(count).as("%s is done", task.id()).isPositive();
      assertThat(count)
          .as("%s is done once, and once more for each loss at most", task.id())
          .isLessThanOrEqualTo(1 + losses.getOrDefault(task.id(), 0));
    }
  }

  private String producer(String file) {
    return graph.producer(file).orElseThrow().id();
  }
}
