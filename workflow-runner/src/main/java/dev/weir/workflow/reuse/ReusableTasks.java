package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tasks of a workflow that need not be run. Such a task has the key of a task that was
 * done, and its outputs still exist in the data directory with their recorded content. Outputs that
 * no remaining task needs may be missing. For one use.
 */
public final class ReusableTasks {

  private final Query query;
  private final DoneTaskIndex memory;
  private final Map<String, PresentFile> present;
  private final Sums sums;
  private final WorkflowGraph graph;

  /**
   * Known contents by file id: the current content of inputs, the recorded content of other files.
   */
  private final Map<String, FileRecord> contents = new HashMap<>();

  private final Map<String, DoneTask> matched = new LinkedHashMap<>();
  private final Set<String> existing = new HashSet<>();

  /**
   * The run whose tasks are searched.
   *
   * @param dataDir absolute path of the directory with its files
   * @param context what commands read besides their files
   * @param rerun the tasks that are run in any case
   */
  public record Query(
      Workflow workflow, String dataDir, CommandContext context, RerunChoice rerun) {}

  /** Computes checksums of files. */
  public interface Sums {

    /**
     * Computes checksums.
     *
     * @param files ids of files that exist
     * @return the CRC-32C of each file that could be read
     */
    Map<String, Long> of(Collection<String> files) throws IOException, InterruptedException;
  }

  /**
   * Creates a search.
   *
   * @param memory the tasks of earlier runs
   * @param present the files of the workflow that exist, by id
   * @param sums computes the checksums of files that changed since
   */
  public ReusableTasks(
      Query query, DoneTaskIndex memory, Map<String, PresentFile> present, Sums sums) {
    this.query = query;
    this.memory = memory;
    this.present = Map.copyOf(present);
    this.sums = sums;
    this.graph = query.workflow().graph();
  }

  /**
   * Searches for tasks that need not be run.
   *
   * @return the tasks and the known inputs
   */
  public Found find() throws IOException, InterruptedException {
    if (memory.isEmpty() || query.rerun().isAll()) {
      return new Found(List.of(), List.of());
    }
    sumInputs();
    match();
    checkOutputs();
    Set<String> needed = needed();
    List<TakenOver> reused = new ArrayList<>();
    matched.forEach(
        (id, done) -> {
          if (!needed.contains(id)) {
            reused.add(stored(id, done));
          }
        });
    List<FileRecord> inputs = new ArrayList<>();
    for (DataFile input : graph.workflowInputs()) {
      FileRecord content = contents.get(input.id());
      if (content != null) {
        inputs.add(content);
      }
    }
    return new Found(reused, inputs);
  }

  /**
   * The result of a search.
   *
   * @param tasks the tasks that need not be run, each after the tasks whose files it read; outputs
   *     that are missing and not needed have no host
   * @param inputs the inputs of the workflow with known content
   */
  public record Found(List<TakenOver> tasks, List<FileRecord> inputs) {

    public Found {
      tasks = List.copyOf(tasks);
      inputs = List.copyOf(inputs);
    }
  }

  private TakenOver stored(String id, DoneTask done) {
    return new TakenOver(
        id, done.run(), done.firstTry(), done.outputs().stream().map(this::stored).toList());
  }

  private void sumInputs() throws IOException, InterruptedException {
    List<String> unknown = new ArrayList<>();
    for (DataFile input : graph.workflowInputs()) {
      PresentFile file = present.get(input.id());
      if (file == null) {
        continue;
      }
      Long sum = sumOf(input.id(), file);
      if (sum != null) {
        contents.put(input.id(), new FileRecord(input.id(), file.bytes(), sum));
      } else if (memory.mayKnow(input.id(), file.bytes())) {
        unknown.add(input.id());
      }
    }
    if (!unknown.isEmpty()) {
      sums.of(unknown)
          .forEach(
              (id, sum) -> {
                PresentFile file = present.get(id);
                if (file != null) {
                  contents.put(id, new FileRecord(id, file.bytes(), sum));
                }
              });
    }
  }

  private @Nullable Long sumOf(String id, PresentFile file) {
    return file.bytes() == 0 ? Long.valueOf(0) : memory.sum(path(id), file);
  }

  private String path(String id) {
    return FileIds.pathIn(query.dataDir(), id);
  }

  /** Follows the graph as long as all tasks on the path were done. */
  private void match() {
    TaskKey keys = new TaskKey(query.workflow().files(), query.context());
    for (Task task : graph.topologicalOrder()) {
      List<FileRecord> inputs = new ArrayList<>(task.inputs().size());
      for (String id : task.inputs()) {
        FileRecord content = contents.get(id);
        if (content != null) {
          inputs.add(content);
        }
      }
      // A task's key does not contain the regions that it reads.
      if (inputs.size() < task.inputs().size() || !task.regions().isEmpty()) {
        continue;
      }
      DoneTask done = memory.task(keys.of(task, inputs));
      if (done != null && !query.rerun().wants(task, done.firstTry())) {
        matched.put(task.id(), done);
        done.outputs().forEach(output -> contents.put(output.file(), output));
      }
    }
  }

  private void checkOutputs() throws IOException, InterruptedException {
    Map<String, Long> wanted = new HashMap<>();
    for (DoneTask done : matched.values()) {
      for (FileRecord output : done.outputs()) {
        PresentFile file = present.get(output.file());
        if (file != null && file.bytes() == output.bytes()) {
          Long sum = sumOf(output.file(), file);
          if (sum == null) {
            wanted.put(output.file(), output.crc32c());
          } else if (sum == output.crc32c()) {
            existing.add(output.file());
          }
        }
      }
    }
    if (!wanted.isEmpty()) {
      sums.of(wanted.keySet())
          .forEach(
              (id, sum) -> {
                if (sum.equals(wanted.get(id))) {
                  existing.add(id);
                }
              });
    }
  }

  /**
   * Returns the tasks that must run: those that were not done, and those whose missing outputs such
   * tasks read.
   */
  private Set<String> needed() {
    Set<String> needed = new HashSet<>();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      if (!matched.containsKey(task.id()) || lacksNeededOutput(task, needed)) {
        needed.add(task.id());
      }
    }
    return needed;
  }

  private boolean lacksNeededOutput(Task task, Set<String> needed) {
    for (String output : task.outputs()) {
      if (!existing.contains(output)) {
        List<Task> readers = graph.consumers(output);
        if ((readers.isEmpty() && !graph.file(output).calledTemporary())
            || readers.stream().anyMatch(reader -> needed.contains(reader.id()))) {
          return true;
        }
      }
    }
    return false;
  }

  private StoredFile stored(FileRecord output) {
    PresentFile file = present.get(output.file());
    return new StoredFile(
        output.file(),
        output.bytes(),
        file == null || !existing.contains(output.file()) ? Map.of() : file.bytesByHost(),
        output.crc32c());
  }
}
