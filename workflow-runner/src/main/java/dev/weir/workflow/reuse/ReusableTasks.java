package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.StoredFile;
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
 * Finds the tasks of a workflow that need not be run. Such a task has the key of one that was done,
 * and its outputs are where they are wanted, with the content that they had; those that no task
 * needs that is to be run may be gone. One use.
 */
public final class ReusableTasks {

  private final Question question;
  private final DoneTaskIndex memory;
  private final Map<String, PresentFile> present;
  private final Sums sums;
  private final WorkflowGraph graph;

  /** Contents as they are known, by file id: of inputs as they are, of the rest as they were. */
  private final Map<String, FileRecord> contents = new HashMap<>();

  private final Map<String, DoneTask> matched = new LinkedHashMap<>();
  private final Set<String> there = new HashSet<>();

  /**
   * What is to be found out.
   *
   * @param workflow what is to be run
   * @param dataDir absolute path of the directory with its files
   * @param environment variables of each command
   * @param standIn whether stand-ins take the commands' place
   * @param rerun what is run in any case
   */
  public record Question(
      Workflow workflow,
      String dataDir,
      Map<String, String> environment,
      boolean standIn,
      RerunChoice rerun) {}

  /** Sums up files that nobody has read. */
  public interface Sums {

    /**
     * Sums up.
     *
     * @param files ids of files that are there
     * @return the CRC32C of each that could be summed
     * @throws IOException when HDFS does not answer
     * @throws InterruptedException when the thread is interrupted
     */
    Map<String, Long> of(Collection<String> files) throws IOException, InterruptedException;
  }

  /**
   * A search.
   *
   * @param memory what earlier runs have done
   * @param present the files of the workflow that are there, by id
   * @param sums sums up what has changed since, and nothing else
   */
  public ReusableTasks(
      Question question, DoneTaskIndex memory, Map<String, PresentFile> present, Sums sums) {
    this.question = question;
    this.memory = memory;
    this.present = Map.copyOf(present);
    this.sums = sums;
    this.graph = question.workflow().graph();
  }

  /**
   * Searches.
   *
   * @return what was found
   * @throws IOException when HDFS does not answer
   * @throws InterruptedException when the thread is interrupted
   */
  public Found find() throws IOException, InterruptedException {
    if (memory.isEmpty() || question.rerun().isAll()) {
      return new Found(List.of(), List.of());
    }
    sumInputs();
    match();
    lookForOutputs();
    Set<String> needed = needed();
    List<Reused> reused = new ArrayList<>();
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
   * What was found.
   *
   * @param tasks the tasks that need not be run, each after those whose files it read
   * @param inputs the inputs of the workflow whose content is known
   */
  public record Found(List<Reused> tasks, List<FileRecord> inputs) {

    /** Copies. */
    public Found {
      tasks = List.copyOf(tasks);
      inputs = List.copyOf(inputs);
    }
  }

  private Reused stored(String id, DoneTask done) {
    return new Reused(
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
    return FileIds.pathIn(question.dataDir(), id);
  }

  /** Follows the graph as far as every task on the way was done. */
  private void match() {
    TaskKey keys = new TaskKey(question.workflow(), question.environment(), question.standIn());
    for (Task task : graph.topologicalOrder()) {
      List<FileRecord> inputs = new ArrayList<>(task.inputs().size());
      for (String id : task.inputs()) {
        FileRecord content = contents.get(id);
        if (content != null) {
          inputs.add(content);
        }
      }
      // What a task reads of a file in regions is not in its key.
      if (inputs.size() < task.inputs().size() || !task.regions().isEmpty()) {
        continue;
      }
      DoneTask done = memory.task(keys.of(task, inputs));
      if (done != null && !question.rerun().wants(task, done.firstTry())) {
        matched.put(task.id(), done);
        done.outputs().forEach(output -> contents.put(output.file(), output));
      }
    }
  }

  private void lookForOutputs() throws IOException, InterruptedException {
    Map<String, Long> wanted = new HashMap<>();
    for (DoneTask done : matched.values()) {
      for (FileRecord output : done.outputs()) {
        PresentFile file = present.get(output.file());
        if (file != null && file.bytes() == output.bytes()) {
          Long sum = sumOf(output.file(), file);
          if (sum == null) {
            wanted.put(output.file(), output.crc32c());
          } else if (sum == output.crc32c()) {
            there.add(output.file());
          }
        }
      }
    }
    if (!wanted.isEmpty()) {
      sums.of(wanted.keySet())
          .forEach(
              (id, sum) -> {
                if (sum.equals(wanted.get(id))) {
                  there.add(id);
                }
              });
    }
  }

  /**
   * Tasks that are run: what was not done, and what made files that those need and that are gone.
   */
  private Set<String> needed() {
    Set<String> needed = new HashSet<>();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      if (!matched.containsKey(task.id()) || lacksWhatIsNeeded(task, needed)) {
        needed.add(task.id());
      }
    }
    return needed;
  }

  private boolean lacksWhatIsNeeded(Task task, Set<String> needed) {
    for (String output : task.outputs()) {
      if (!there.contains(output)) {
        List<Task> readers = graph.consumers(output);
        if (readers.isEmpty()
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
        file == null || !there.contains(output.file()) ? Map.of() : file.bytesByHost(),
        output.crc32c());
  }
}
