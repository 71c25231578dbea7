package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.FileRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what a run has done that left only its journals and its plan, each of them read piece
 * by piece: first is to be told how its tasks ended, then what they were. It keeps what may be of
 * use to the workflow that the memory is for, and takes no more room than that has. Not
 * thread-safe; one use.
 */
public final class JournalTaskReader {

  private final DoneTaskIndex memory;
  private final String run;

  /** What tasks of the run have made last, by id. */
  private final Map<String, FileRecord> made = new HashMap<>();

  /** What was there already when it began, of tasks that it took over. */
  private final Map<String, FileRecord> taken = new HashMap<>();

  private final Map<String, Success> succeeded = new HashMap<>();
  private final Map<String, TakenTask> reused = new HashMap<>();

  private record Success(boolean firstTry, List<FileRecord> inputs) {}

  private record TakenTask(boolean firstTry, List<FileRecord> outputs) {}

  /**
   * Nothing so far.
   *
   * @param memory where it goes
   * @param run id of the run
   */
  public JournalTaskReader(DoneTaskIndex memory, String run) {
    this.memory = memory;
    this.run = run;
  }

  /**
   * Hears of an attempt that succeeded, after those that ended before it.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param inputs what it read, in the order of the task's inputs
   * @param outputs what it made
   */
  public void succeeded(
      String task, int attempt, List<FileRecord> inputs, List<FileRecord> outputs) {
    List<FileRecord> read = known(inputs);
    List<FileRecord> written = known(outputs);
    if (read == null || written == null) {
      return;
    }
    // One that has made nothing may have done so again of what another attempt had made.
    if (written.isEmpty() && !succeeded.containsKey(task) && !memory.wantsSilent(task)) {
      return;
    }
    succeeded.put(task, new Success(attempt == 1, read));
    written.forEach(file -> made.put(file.file(), file));
  }

  /**
   * Hears of a task that it took over, after those whose files that one read.
   *
   * @param done the task
   */
  public void reused(Reused done) {
    List<FileRecord> outputs = known(done.outputs().stream().map(FileRecord::of).toList());
    if (outputs == null || (outputs.isEmpty() && !memory.wantsSilent(done.task()))) {
      return;
    }
    reused.put(done.task(), new TakenTask(done.firstTry(), outputs));
    for (FileRecord file : outputs) {
      made.put(file.file(), file);
      taken.put(file.file(), file);
    }
  }

  /**
   * The same with the very ids of the workflow, so that they take no room; null when one of them is
   * of no use to it.
   */
  private @Nullable List<FileRecord> known(List<FileRecord> files) {
    List<FileRecord> known = new ArrayList<>(files.size());
    for (FileRecord file : files) {
      DataFile own = memory.file(file.file());
      if (own == null || !file.isSummed()) {
        return null;
      }
      FileRecord before = made.get(own.id());
      known.add(
          before != null && before.equals(file)
              ? before
              : new FileRecord(own.id(), file.bytes(), file.crc32c()));
    }
    return List.copyOf(known);
  }

  /**
   * Whether nothing that was heard so far can be of use.
   *
   * @return whether no task is known
   */
  public boolean isEmpty() {
    return succeeded.isEmpty() && reused.isEmpty();
  }

  /**
   * Goes on with the tasks, when all is known of how they ended.
   *
   * @param files the declared files by id; of stand-ins those that tasks write, as far as they are
   *     {@linkplain #usable usable}
   * @param environment variables of each command
   * @param standIn whether stand-ins took the commands' place
   * @return what is to hear of each task once
   */
  public Tasks with(Map<String, DataFile> files, Map<String, String> environment, boolean standIn) {
    return new Tasks(new TaskKey(files, environment, standIn));
  }

  /**
   * Looks at a file of the run.
   *
   * @param file as the run declared it
   * @return the same as the workflow has it, if that is no other; null when it can be of no use
   */
  public @Nullable DataFile usable(DataFile file) {
    DataFile own = memory.file(file.id());
    return own == null || file.equals(own) ? own : file;
  }

  /** Takes the tasks of the run, in any order. */
  public final class Tasks {

    private final TaskKey keys;

    private Tasks(TaskKey keys) {
      this.keys = keys;
    }

    /**
     * Remembers a task if it was done, and lets go of what was kept of it.
     *
     * @param task as the run's plan has it
     */
    public void add(Task task) {
      Success success = succeeded.remove(task.id());
      TakenTask before = reused.remove(task.id());
      if (task.outputs().isEmpty() && !memory.wantsSilent(task.id())) {
        return;
      }
      if (success != null && remember(task, success)) {
        return;
      }
      List<FileRecord> inputs = before == null ? null : all(task.inputs(), taken::get);
      if (before != null && inputs != null) {
        remember(task, before.firstTry(), inputs, before.outputs());
      }
    }

    private boolean remember(Task task, Success success) {
      // What a task reads of a file in regions is not in its key.
      if (!task.regions().isEmpty()
          || !success.inputs().stream().map(FileRecord::file).toList().equals(task.inputs())) {
        return false;
      }
      // A second attempt may have had to make only what was lost of the first one's. No other task
      // has made them.
      List<FileRecord> outputs = all(task.outputs(), made::remove);
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
