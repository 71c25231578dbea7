package dev.weir.bench.traces;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.shape.WorkflowShape;
import java.util.Locale;

/**
 * The total work of a workflow.
 *
 * @param tasks the number of tasks
 * @param bytesRead by all tasks together; a file that ten tasks read counts ten times
 * @param bytesWritten by all tasks together
 * @param seconds that all tasks compute
 * @param criticalPathSeconds that the tasks on the critical path compute
 */
public record WorkloadSize(
    int tasks, long bytesRead, long bytesWritten, double seconds, double criticalPathSeconds) {
  /**
   * The bytes that stock HDFS sends over the network per byte written, for the replicas after the
   * first.
   */
  private static final int COPIES_SENT = 2;

  /** Sums up the tasks of a workflow. */
  public static WorkloadSize of(Workflow workflow) {
    WorkflowGraph graph = workflow.graph();
    WorkflowShape shape = WorkflowShape.of(workflow);
    long read = 0;
    long written = 0;
    for (Task task : workflow.tasks()) {
      read += task.inputs().stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
      written += task.outputs().stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
    }
    return new WorkloadSize(
        workflow.tasks().size(), read, written, shape.totalSeconds(), shape.criticalSeconds());
  }

  /** Describes bytes and seconds in words. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d tasks that read %.1f GB, write %.1f GB and compute for %.0f s",
        tasks,
        bytesRead / 1e9,
        bytesWritten / 1e9,
        seconds);
  }

  /**
   * Estimates the time of stock Hadoop with three replicas, one task at a time on each node and
   * traffic spread evenly over all links. It is a basis for scaling rather than a prediction.
   */
  public double stockSeconds(int nodes, double linkBytesPerSecond) {
    double moved = bytesRead + (double) COPIES_SENT * bytesWritten;
    return Math.max(criticalPathSeconds, seconds / nodes) + moved / (nodes * linkBytesPerSecond);
  }
}
