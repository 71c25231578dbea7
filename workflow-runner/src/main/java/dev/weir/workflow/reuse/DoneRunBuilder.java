package dev.weir.workflow.reuse;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects what a run has done, for later runs. Not thread-safe. */
public final class DoneRunBuilder {

  private final String run;
  private final String data;
  private final TaskKey keys;
  private final Map<String, Task> tasks = new HashMap<>();
  private final Map<String, FileRecord> files = new HashMap<>();
  private final Map<String, DoneTask> done = new LinkedHashMap<>();

  /**
   * Remembers nothing yet.
   *
   * @param run id of the run
   * @param data absolute path of the directory with its files
   * @param workflow what it ran
   * @param environment variables of each command
   * @param standIn whether stand-ins took the commands' place
   */
  public DoneRunBuilder(
      String run,
      String data,
      Workflow workflow,
      Map<String, String> environment,
      boolean standIn) {
    this.run = run;
    this.data = data;
    this.keys = new TaskKey(workflow, environment, standIn);
    workflow.tasks().forEach(task -> tasks.put(task.id(), task));
  }

  /**
   * Adds an attempt that succeeded. One of whose files something is not known is not remembered,
   * for nobody could recognise it.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param inputs what it read, in the order of the task's inputs
   * @param outputs what it made
   */
  public void succeeded(
      String task, int attempt, List<FileRecord> inputs, List<FileRecord> outputs) {
    Task known = tasks.get(task);
    if (known == null
        || !known.regions().isEmpty()
        || !inputs.stream().map(FileRecord::file).toList().equals(known.inputs())
        || !inputs.stream().allMatch(FileRecord::isSummed)
        || !outputs.stream().allMatch(FileRecord::isSummed)) {
      return;
    }
    inputs.forEach(file -> files.put(file.file(), file));
    outputs.forEach(file -> files.put(file.file(), file));
    // A second attempt may have had to make only what was lost of the first one's.
    List<FileRecord> all = new ArrayList<>();
    for (String output : known.outputs()) {
      FileRecord file = files.get(output);
      if (file == null) {
        return;
      }
      all.add(file);
    }
    done.put(task, new DoneTask(keys.of(known, inputs), task, run, attempt == 1, all));
  }

  /**
   * Adds a task that was taken over, so that it is still known when the run that did it is not.
   *
   * @param reused the task
   */
  public void reused(Reused reused) {
    Task known = tasks.get(reused.task());
    if (known == null) {
      return;
    }
    List<FileRecord> outputs = reused.outputs().stream().map(FileRecord::of).toList();
    outputs.forEach(file -> files.put(file.file(), file));
    List<FileRecord> inputs = new ArrayList<>();
    for (String input : known.inputs()) {
      FileRecord file = files.get(input);
      if (file == null) {
        return;
      }
      inputs.add(file);
    }
    done.put(
        reused.task(),
        new DoneTask(keys.of(known, inputs), reused.task(), run, reused.firstTry(), outputs));
  }

  /**
   * Adds an input of the workflow that nobody has read because all its readers were taken over.
   *
   * @param file the input, summed
   */
  public void input(FileRecord file) {
    files.putIfAbsent(file.file(), file);
  }

  /**
   * Whether there is nothing to be remembered.
   *
   * @return whether no task is known
   */
  public boolean isEmpty() {
    return done.isEmpty();
  }

  /**
   * Writes it down.
   *
   * @param out where to; not closed
   * @param stamps the stamp of a file that is there and as long as it was, by id and length; null
   *     for others
   * @throws IOException when it cannot be written
   */
  public void write(OutputStream out, Function<FileRecord, @Nullable FileVersion> stamps)
      throws IOException {
    DoneRun.write(out, DoneRun.Line.head(run, data));
    for (FileRecord file : files.values()) {
      DoneRun.write(out, DoneRun.Line.file(file, stamps.apply(file)));
    }
    for (DoneTask task : done.values()) {
      DoneRun.write(out, DoneRun.Line.task(task));
    }
  }
}
