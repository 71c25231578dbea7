package dev.weir.workflow.reuse;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the tasks that a run has done, for later runs. Not thread-safe. */
public final class DoneRunBuilder {

  private final String run;
  private final String data;
  private final TaskKey keys;
  private final Map<String, Task> tasks = new HashMap<>();
  private final Map<String, FileRecord> files = new HashMap<>();
  private final Map<String, DoneTask> done = new LinkedHashMap<>();

  /**
   * Creates an empty builder.
   *
   * @param data absolute path of the directory with its files
   * @param context what commands read besides their files
   */
  public DoneRunBuilder(String run, String data, Workflow workflow, CommandContext context) {
    this.run = run;
    this.data = data;
    this.keys = new TaskKey(workflow.files(), context);
    workflow.tasks().forEach(task -> tasks.put(task.id(), task));
  }

  /**
   * Adds an attempt that succeeded. An attempt with a file of unknown content is ignored, because
   * later runs could not identify it.
   *
   * @param inputs the files that it read, in the order of the task's inputs
   * @param outputs the files that it wrote
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
    // A second attempt may have written only the files that were lost since the first one.
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
   * Adds a task that this run reused. It stays known after the record of the original run is
   * deleted.
   */
  public void reused(TakenOver reused) {
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
   * Adds an input of the workflow that was not read because all its readers were reused.
   *
   * @param file the input, with its checksum
   */
  public void input(FileRecord file) {
    files.putIfAbsent(file.file(), file);
  }

  public boolean isEmpty() {
    return done.isEmpty();
  }

  /**
   * Writes the list.
   *
   * @param out the target; not closed
   * @param stamps returns the stamp of a file that still exists with its recorded length; null for
   *     others
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
