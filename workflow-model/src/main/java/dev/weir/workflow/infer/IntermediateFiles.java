package dev.weir.workflow.infer;

import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** The files of a workflow that nobody needs when the tasks that read them are done. */
public final class IntermediateFiles {

  private IntermediateFiles() {}

  /**
   * Finds them: made by a task and read by one, not to be kept, and not said by the author to stay,
   * for ever or for a time of their own. Regions that are joined are none: they go with the
   * joining. What only tasks that a later run has to run in any case would need is none either:
   * without it the later run had to run more than these.
   *
   * @param workflow the workflow
   * @param kept whether a file is to stay whatever is written of it
   * @return ids of the files
   */
  public static Set<String> of(Workflow workflow, Predicate<DataFile> kept) {
    WorkflowGraph graph = workflow.graph();
    UnrecognisableTasks again = UnrecognisableTasks.in(graph);
    Set<String> temporaries = new HashSet<>();
    for (DataFile file : graph.intermediates()) {
      if (!kept.test(file)
          && isLeftToTheRun(file)
          && graph.consumers(file.id()).stream().noneMatch(Task::joinsRegions)
          && !again.needs(file.id())) {
        temporaries.add(file.id());
      }
    }
    return temporaries;
  }

  /**
   * Finds those files that tasks make and read and that are wanted as much as results: named by the
   * user, or said by the author to be kept.
   *
   * @param workflow the workflow
   * @param named whether the user has named the file of an id
   * @return ids of the files
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

  /** Whether the workflow itself says of a file that nobody wants it when its readers are done. */
  public static boolean isSaid(DataFile file) {
    return !file.hint().isEmpty()
        && HintText.parse(file.hint()).lifetime().filter(Lifetime.scratch()::equals).isPresent();
  }

  private static boolean isLeftToTheRun(DataFile file) {
    if (file.hint().isEmpty()) {
      return true;
    }
    Lifetime lifetime = HintText.parse(file.hint()).lifetime().orElse(Lifetime.scratch());
    return lifetime.temporary() && lifetime.expiry() == null;
  }
}
