package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Dispatchers for tests. */
public final class Dispatchers {

  private Dispatchers() {}

  /** A dispatcher of a session without graphs and jobs. */
  public static Dispatcher of(AssignmentPolicy policy, Limits jobLimits, WorkerSize size) {
    return new Dispatcher(policy, jobLimits, size, task -> Optional.empty());
  }

  /** A dispatcher of one workflow, for workers that run one task at a time and have none ahead. */
  public static Dispatcher of(Workflow workflow, AssignmentPolicy policy, Limits limits) {
    return of(workflow, policy, limits, WorkerSize.ONE_TASK);
  }

  public static Dispatcher of(
      Workflow workflow, AssignmentPolicy policy, Limits limits, WorkerSize size) {
    return new Dispatcher(policy, size, Graph.of("", workflow, limits));
  }

  /** A dispatcher of one workflow, with task profiles of earlier runs. */
  static Dispatcher of(
      Workflow workflow,
      AssignmentPolicy policy,
      Limits limits,
      WorkerSize size,
      TaskProfiles profiles) {
    return new Dispatcher(
        policy,
        size,
        new Graph(
            "", workflow, limits, 0, false, profiles, Set.of(), Set.of(), List.of(), Set.of()));
  }
}
