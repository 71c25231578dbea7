package dev.weir.workflow.run;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.transfer.InputLostException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;

/** Reads the sub-workflows that tasks of a run made. */
final class SubWorkflowReader {

  /** The parsed file takes about ten times as much memory. */
  private static final int MAX_BYTES = 8 << 20;

  private final FileSystem fs;
  private final RunPlan plan;
  private final int mostTasks;

  /**
   * Creates a reader.
   *
   * @param mostTasks how many tasks sub-workflows may still add to the run
   */
  SubWorkflowReader(FileSystem fs, RunPlan plan, int mostTasks) {
    this.fs = fs;
    this.plan = plan;
    this.mostTasks = mostTasks;
  }

  /**
   * Reads the sub-workflow that a task stands for. Blocks.
   *
   * @throws WorkflowException when it is invalid or too large
   * @throws InputLostException when HDFS has lost its file
   */
  AddedTasks read(Task parent) throws IOException {
    SubWorkflow sub = SubWorkflow.of(parent.command()).orElseThrow();
    String path = plan.path(sub.file());
    WorkflowSource read = WorkflowSource.of(path, bytes(path));
    ImportSettings settings = new ImportSettings(Map.of(), sub.definitions(), null);
    Workflow inner =
        Importers.forSmallHeap()
            .read(new WorkflowSource(read.name(), read.text(), null, settings))
            .workflow();
    if (inner.tasks().size() > mostTasks) {
      throw problem(
          path,
          "it has "
              + inner.tasks().size()
              + " tasks, and workflows that tasks make may add "
              + Math.max(0, mostTasks)
              + " more to the run",
          "let it have fewer, or set " + RunPlan.MAX_ADDED_KEY + " and --master-memory");
    }
    try {
      return new AddedTasks(Expansion.scoped(parent, runnable(path, inner)), parent.id());
    } catch (InvalidWorkflowException e) {
      throw problem(path, e.problem(), e.remedy());
    }
  }

  private byte[] bytes(String path) throws IOException {
    try {
      return read(path);
    } catch (FileNotFoundException | BlockMissingException e) {
      throw new InputLostException(path, e);
    }
  }

  private byte[] read(String path) throws IOException {
    try (InputStream in = fs.open(new Path(path))) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw problem(
            path,
            "it has more than " + MAX_BYTES + " bytes",
            "let the task make several workflows");
      }
      return bytes;
    }
  }

  private Workflow runnable(String path, Workflow inner) throws WorkflowException {
    for (Task task : inner.tasks()) {
      if (task.command().isEmpty() && !task.joinsRegions()) {
        throw problem(path, "the task '" + task.id() + "' has no command", "add one");
      }
    }
    if (!plan.choices().ignoreNeeds()) {
      return inner;
    }
    List<Task> tasks =
        inner.tasks().stream()
            .map(task -> task.withNeeds(task.needs().withoutResources()))
            .toList();
    return new Workflow(inner.name(), tasks, inner.files());
  }

  private static WorkflowException problem(String path, String problem, String remedy) {
    return new WorkflowException(path, "", problem, remedy, /* cause= */ null);
  }
}
