package dev.weir.workflow.estimate;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.staging.Mode;
import java.util.List;
import java.util.Map;

/**
 * Estimates what a run takes, by a simulation of the real dispatcher. It knows the graph, sizes,
 * run times and the cluster; it does not know failures, other load, or disks.
 */
public final class RunEstimator {

  private final EstimateCluster cluster;
  private final Mode mode;

  /**
   * Creates an estimator.
   *
   * @param mode how placement and scheduling use knowledge about the data
   */
  public RunEstimator(EstimateCluster cluster, Mode mode) {
    this.cluster = cluster;
    this.mode = mode;
  }

  /**
   * Estimates a run.
   *
   * @param profiles measured times and needs by type of task; they count more than declared times
   * @param inputs places of its inputs in HDFS, by id; others are assumed
   * @return what it takes
   * @throws IllegalArgumentException if a task does not fit a worker
   */
  public RunEstimate estimate(
      Workflow workflow, TaskProfiles profiles, Map<String, StoredFile> inputs) {
    return estimate(
        new RunSimulation.Subject(workflow, mode, profiles, inputs, Map.of(), Map.of()));
  }

  /**
   * Estimates what is left of a run.
   *
   * @param profiles measured times and needs by type of task
   * @param done tasks that are done, with the locations of their outputs
   * @param elapsed seconds for which running tasks have run, by id
   * @throws IllegalArgumentException if a task does not fit a worker
   */
  public RunEstimate remaining(
      Workflow workflow,
      TaskProfiles profiles,
      Map<String, List<StoredFile>> done,
      Map<String, Double> elapsed) {
    return estimate(new RunSimulation.Subject(workflow, mode, profiles, Map.of(), done, elapsed));
  }

  private RunEstimate estimate(RunSimulation.Subject declared) {
    RunSimulation.Subject subject = declared.with(withoutDedicated(declared.workflow()));
    Workflow workflow = subject.workflow();
    TaskTimes times = TaskTimes.of(workflow, subject.profiles());
    RunSimulation simulation = new RunSimulation(subject, times, cluster);
    double seconds = simulation.run();
    return new RunEstimate(
        seconds,
        times.total(),
        seconds * cluster.workers(),
        simulation.bytesRead(),
        simulation.bytesMoved(),
        workflow.tasks().size(),
        times.unknown());
  }

  /** Lets tasks that need dedicated workers run on any. */
  private static Workflow withoutDedicated(Workflow workflow) {
    if (workflow.tasks().stream().noneMatch(RunEstimator::isDedicated)) {
      return workflow;
    }
    List<Task> tasks =
        workflow.tasks().stream()
            .map(task -> isDedicated(task) ? task.withNeeds(task.needs().withoutResources()) : task)
            .toList();
    return new Workflow(workflow.name(), tasks, workflow.files());
  }

  private static boolean isDedicated(Task task) {
    return ResourceNeeds.of(task.needs()).needDedicatedWorker();
  }
}
