package dev.weir.workflow.infer;

import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the files of a workflow that are not needed once the tasks that read them have ended. */
public final class IntermediateFiles {

  private IntermediateFiles() {}

  /**
   * Finds the intermediate files that a run may delete. The user does not keep them, and the author
   * states no other lifetime. Regions that are joined do not count, because the join removes them.
   * Files that a later run needs only for tasks that it must run in any case do not count either.
   * Without such a file the later run would have to run more tasks.
   *
   * @param kept whether to keep a file regardless of its hint
   */
  public static Set<String> of(Workflow workflow, Predicate<DataFile> kept) {
    WorkflowGraph graph = workflow.graph();
    UnrecognisableTasks again = UnrecognisableTasks.in(graph);
    Set<String> temporaries = new HashSet<>();
    for (DataFile file : graph.intermediates()) {
      if (!kept.test(file)
          && hasRunLifetime(file)
          && graph.consumers(file.id()).stream().noneMatch(Task::joinsRegions)
          && !again.needs(file.id())) {
        temporaries.add(file.id());
      }
    }
    return temporaries;
  }

  /**
   * Finds the intermediate files that need not be in HDFS: no task reads or joins regions of them,
   * and they are not sub-workflows, which the ApplicationMaster reads.
   */
  public static Set<String> readWhole(Workflow workflow) {
    WorkflowGraph graph = workflow.graph();
    Set<String> whole = new HashSet<>();
    for (DataFile file : graph.intermediates()) {
      if (FileRegion.parse(file.id()).isEmpty()
          && graph.consumers(file.id()).stream()
              .noneMatch(
                  task ->
                      task.joinsRegions()
                          || !task.regionsOf(file.id()).isEmpty()
                          || SubWorkflow.is(task.command()))) {
        whole.add(file.id());
      }
    }
    return whole;
  }

  /**
   * Finds the intermediate files that count as results: named by the user, or kept according to the
   * author's hint.
   */
  public static Set<String> wanted(Workflow workflow, Predicate<String> named) {
    Set<String> wanted = new HashSet<>();
    for (DataFile file : workflow.graph().intermediates()) {
      if (named.test(file.id()) || isKept(file)) {
        wanted.add(file.id());
      }
    }
    return wanted;
  }

  private static boolean isKept(DataFile file) {
    return !file.hint().isEmpty()
        && HintText.parse(file.hint()).lifetime().filter(Lifetime.keep()::equals).isPresent();
  }

  private static boolean hasRunLifetime(DataFile file) {
    if (file.hint().isEmpty()) {
      return true;
    }
    Lifetime lifetime = HintText.parse(file.hint()).lifetime().orElse(Lifetime.scratch());
    return lifetime.temporary() && lifetime.expiry() == null;
  }
}
