package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import java.util.List;
import java.util.Set;

/**
 * A workflow to run in a session, with the options of the run. Ids of tasks and files are those of
 * the workflow, without a prefix.
 *
 * @param id unique in the session; has no colon
 * @param priority graphs with a higher priority go first; 0 is the default
 * @param speculate whether stragglers may have a second copy
 * @param habits profiles of task types, used for needs that a task does not declare
 * @param temporaries ids of intermediate files that are deleted when no task needs them; unknown
 *     ids are ignored
 * @param wanted ids of intermediate files that are also results; these are not temporary
 * @param inputs locations of workflow inputs; inputs not listed are assumed to be in HDFS
 * @param onNodes ids of intermediate files that may stay on the nodes that make them
 */
public record Graph(
    String id,
    Workflow workflow,
    Limits limits,
    int priority,
    boolean speculate,
    TaskProfiles habits,
    Set<String> temporaries,
    Set<String> wanted,
    List<StoredFile> inputs,
    Set<String> onNodes) {

  /**
   * Copies the collections and checks the id.
   *
   * @throws IllegalArgumentException when the id has a colon
   */
  public Graph {
    if (id.indexOf(':') >= 0) {
      throw new IllegalArgumentException("The id '" + id + "' of a graph has a colon");
    }
    temporaries = Set.copyOf(temporaries);
    wanted = Set.copyOf(wanted);
    inputs = List.copyOf(inputs);
    onNodes = Set.copyOf(onNodes);
  }

  /**
   * A graph of the default priority without speculation and deletions.
   *
   * @param id unique in the session
   * @param workflow the workflow to run
   */
  public static Graph of(String id, Workflow workflow, Limits limits) {
    return new Graph(
        id, workflow, limits, 0, false, TaskProfiles.NONE, Set.of(), Set.of(), List.of(), Set.of());
  }
}
