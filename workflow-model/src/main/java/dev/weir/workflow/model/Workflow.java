package dev.weir.workflow.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow that can be run: every file that a task names is declared, no file has two makers, and
 * the tasks can be put in an order. Immutable.
 *
 * <p>A file that tasks write in {@linkplain FileRegion regions} is made of them by a task that is
 * added for it, after those that were given; the regions are added to the files.
 *
 * @param name what it is called
 * @param tasks its tasks, at least one
 * @param files its files by id, in the order given
 */
public record Workflow(String name, List<Task> tasks, Map<String, DataFile> files) {

  /**
   * Checks and copies.
   *
   * @throws InvalidWorkflowException when the parts do not fit together; it names the place
   */
  public Workflow {
    RegionJoins.Completed completed = RegionJoins.complete(tasks, files);
    tasks = List.copyOf(completed.tasks());
    files = Collections.unmodifiableMap(new LinkedHashMap<>(completed.files()));
    WorkflowCheck.check(name, tasks, files);
  }

  /**
   * Builds the graph of this workflow. It costs time in proportion to the workflow: build it once.
   *
   * @return the graph
   */
  public WorkflowGraph graph() {
    return new WorkflowGraph(this);
  }
}
