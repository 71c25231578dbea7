package dev.weir.workflow.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A valid workflow: every file of a task is declared, no file has two producers, and the tasks have
 * no cycle. Immutable.
 *
 * <p>If tasks write a file in {@linkplain FileRegion regions}, a task that joins them is added
 * after the given tasks. The regions are added to the files.
 *
 * @param tasks its tasks, at least one
 * @param files its files by id, in the order given
 */
public record Workflow(String name, List<Task> tasks, Map<String, DataFile> files) {

  /**
   * Validates the workflow and copies the collections.
   *
   * @throws InvalidWorkflowException if the parts are inconsistent; it names the place
   */
  public Workflow {
    RegionJoins.Completed completed = RegionJoins.complete(tasks, files);
    tasks = List.copyOf(completed.tasks());
    files = Collections.unmodifiableMap(new LinkedHashMap<>(completed.files()));
    WorkflowCheck.check(name, tasks, files);
  }

  /**
   * Builds the graph of this workflow. It takes time proportional to the workflow's size, so
   * callers should keep it.
   */
  public WorkflowGraph graph() {
    return new WorkflowGraph(this);
  }
}
