package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.DispatchRecord.FilesLost;
import dev.weir.workflow.scheduler.DispatchRecord.FilesReleased;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often tasks were done, as a journal has it, and how often they may have been. */
final class DoneOften {

  private final WorkflowGraph graph;

  DoneOften(WorkflowGraph graph) {
    this.graph = graph;
  }

  /** Each is done once, and once more for each file of it that was lost or deleted at most. */
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
