package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects the tasks of a run that left only its journals and its plan. Both are read entry by
 * entry. The caller first reports how the tasks ended, and then their definitions from the plan.
 * The reader keeps only tasks that the workflow of the index may reuse, so its memory is bounded by
 * the size of that workflow. Not thread-safe. For one use.
 */
public final class JournalTaskReader {

  private final DoneTaskIndex memory;
  private final String run;

  /** The latest outputs of the run's tasks, by file id. */
  private final Map<String, FileRecord> latestOutputs = new HashMap<>();

  /** The outputs of tasks that the run reused, by file id. */
  private final Map<String, FileRecord> reusedOutputs = new HashMap<>();

  private final Map<String, Success> succeeded = new HashMap<>();
  private final Map<String, ReusedTask> reused = new HashMap<>();

  private record Success(boolean firstTry, List<FileRecord> inputs) {}

  private record ReusedTask(boolean firstTry, List<FileRecord> outputs) {}

  /**
   * Creates a reader.
   *
   * @param memory the index that receives the tasks
   */
  public JournalTaskReader(DoneTaskIndex memory, String run) {
    this.memory = memory;
    this.run = run;
  }

  /**
   * Adds an attempt that succeeded. Callers add attempts in the order of their ends.
   *
   * @param inputs the files that it read, in the order of the task's inputs
   * @param outputs the files that it wrote
   */
  public void succeeded(
      String task, int attempt, List<FileRecord> inputs, List<FileRecord> outputs) {
    List<FileRecord> read = known(inputs);
    List<FileRecord> written = known(outputs);
    if (read == null || written == null) {
      return;
    }
    // An attempt without outputs is kept if an earlier attempt wrote them.
    if (written.isEmpty() && !succeeded.containsKey(task) && !memory.wantsWithoutOutputs(task)) {
      return;
    }
    succeeded.put(task, new Success(attempt == 1, read));
    written.forEach(file -> latestOutputs.put(file.file(), file));
  }

  /** Adds a task that the run reused. Callers add it after the tasks whose files it read. */
  public void reused(TakenOver done) {
    List<FileRecord> outputs = known(done.outputs().stream().map(FileRecord::of).toList());
    if (outputs == null || (outputs.isEmpty() && !memory.wantsWithoutOutputs(done.task()))) {
      return;
    }
    reused.put(done.task(), new ReusedTask(done.firstTry(), outputs));
    for (FileRecord file : outputs) {
      latestOutputs.put(file.file(), file);
      reusedOutputs.put(file.file(), file);
    }
  }

  /**
   * Returns the files with the id objects of the workflow, to save memory. Returns null if the
   * workflow has no use for one of them.
   */
  private @Nullable List<FileRecord> known(List<FileRecord> files) {
    List<FileRecord> known = new ArrayList<>(files.size());
    for (FileRecord file : files) {
      DataFile own = memory.file(file.file());
      if (own == null || !file.isSummed()) {
        return null;
      }
      FileRecord before = latestOutputs.get(own.id());
      known.add(
          before != null && before.equals(file)
              ? before
              : new FileRecord(own.id(), file.bytes(), file.crc32c()));
    }
    return List.copyOf(known);
  }

  /** Returns whether no added task can be reused. */
  public boolean isEmpty() {
    return succeeded.isEmpty() && reused.isEmpty();
  }

  /**
   * Continues with the tasks' definitions, after all ends were added.
   *
   * @param files the declared files by id; for stand-ins, the {@linkplain #usable usable} files
   *     that tasks write
   * @param context what commands read besides their files
   * @return receives each task once
   */
  public Tasks with(Map<String, DataFile> files, CommandContext context) {
    return new Tasks(new TaskKey(files, context));
  }

  /**
   * Maps a file of the run to the workflow.
   *
   * @param file the file as the run declared it
   * @return the workflow's own object if it is equal; the given file if not; null if the workflow
   *     has no such file
   */
  public @Nullable DataFile usable(DataFile file) {
    DataFile own = memory.file(file.id());
    return own == null || file.equals(own) ? own : file;
  }

  /** Receives the tasks of the run, in any order. */
  public final class Tasks {

    private final TaskKey keys;

    private Tasks(TaskKey keys) {
      this.keys = keys;
    }

    /**
     * Adds a task to the index if it was done, and releases its data in this reader.
     *
     * @param task the task in the run's plan
     */
    public void add(Task task) {
      Success success = succeeded.remove(task.id());
      ReusedTask before = reused.remove(task.id());
      if (task.outputs().isEmpty() && !memory.wantsWithoutOutputs(task.id())) {
        return;
      }
      if (success != null && remember(task, success)) {
        return;
      }
      List<FileRecord> inputs = before == null ? null : all(task.inputs(), reusedOutputs::get);
      if (before != null && inputs != null) {
        remember(task, before.firstTry(), inputs, before.outputs());
      }
    }

    private boolean remember(Task task, Success success) {
      // A task's key does not contain the regions that it reads.
      if (!task.regions().isEmpty()
          || !success.inputs().stream().map(FileRecord::file).toList().equals(task.inputs())) {
        return false;
      }
      // A second attempt may have written only the files that were lost since the first one. No
      // other task writes them.
      List<FileRecord> outputs = all(task.outputs(), latestOutputs::remove);
      if (outputs == null) {
        return false;
      }
      remember(task, success.firstTry(), success.inputs(), outputs);
      return true;
    }

    private void remember(
        Task task, boolean firstTry, List<FileRecord> inputs, List<FileRecord> outputs) {
      inputs.forEach(file -> memory.file(file.file(), file, null));
      outputs.forEach(file -> memory.file(file.file(), file, null));
      memory.task(new DoneTask(keys.of(task, inputs), task.id(), run, firstTry, outputs));
    }
  }

  private static @Nullable List<FileRecord> all(
      List<String> names, Function<String, @Nullable FileRecord> known) {
    List<FileRecord> all = new ArrayList<>(names.size());
    for (String name : names) {
      FileRecord file = known.apply(name);
      if (file == null) {
        return null;
      }
      all.add(file);
    }
    return all;
  }
}
