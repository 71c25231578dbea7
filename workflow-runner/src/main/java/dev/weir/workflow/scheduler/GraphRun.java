package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.dispatch.LookAheadRecall;
import dev.weir.workflow.scheduler.dispatch.StartTimes;
import dev.weir.workflow.scheduler.dispatch.TaskScheduler;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;

/** The parts of a dispatcher that work on one graph. Not thread-safe. */
final class GraphRun {

  final WorkflowState graph;
  final RunStatistics statistics;
  final SteeringHandler steering;
  final GraphCompletion graphCompletion;
  final LostFiles lostFiles;
  final AttemptCompletion completion;
  final IntermediateFileReleaser fileReleaser;
  final SteeringRequests steeringRequests;
  final GraphGrowth growth;
  final TaskScheduler scheduler;
  final LookAheadRecall lookAheadRecall;

  /**
   * Whether scores decide which task goes first, so that tasks ahead may be taken back by score.
   */
  private final boolean recallsByScore;

  /**
   * Creates the parts for a graph of which no task is done.
   *
   * @param nodeBlacklist nodes with too many failures
   * @param writeBack copies files of nodes to HDFS
   */
  GraphRun(
      WorkflowState graph,
      Limits limits,
      NodeBlacklist nodeBlacklist,
      WriteBackScheduler writeBack) {
    this.graph = graph;
    this.steering = new SteeringHandler(graph);
    this.fileReleaser = new IntermediateFileReleaser(graph);
    this.statistics = new RunStatistics(graph);
    this.lostFiles = new LostFiles(graph, steering);
    this.graphCompletion = new GraphCompletion(graph, steering, limits, fileReleaser, writeBack);
    this.completion =
        new AttemptCompletion(
            graph,
            new RetryPolicy(graph, limits),
            statistics,
            graphCompletion,
            lostFiles,
            nodeBlacklist);
    this.steeringRequests = new SteeringRequests(graph, steering, graphCompletion);
    this.growth = new GraphGrowth(graph, steering, graphCompletion, lostFiles);
    StartTimes times = new StartTimes(graph);
    this.scheduler = new TaskScheduler(graph, times);
    this.lookAheadRecall = new LookAheadRecall(graph, times);
    this.recallsByScore = !graph.grows() && graph.session().policy() == AssignmentPolicy.DATA_AWARE;
  }

  /** Requests a check of the results when all tasks are settled. */
  void check() {
    if (!graph.grows()) {
      graphCompletion.check();
    }
  }

  /**
   * Takes tasks ahead back whose score for an idle worker is higher than that of all ready tasks.
   */
  void recallByScore() {
    if (recallsByScore) {
      lookAheadRecall.recallByScore(scheduler::bestScore);
    }
  }

  /** Handles the result of an {@code Effect.Check}. */
  void checked(List<FileState> lost) {
    // A failed or incomplete run keeps its intermediate files, so that the next run can reuse
    // them.
    if (lost.isEmpty() && !graph.isOver() && graph.dropped() == 0) {
      fileReleaser.sweep();
    }
    graphCompletion.checked(lost);
    lostFiles.markLost(lost);
  }
}
