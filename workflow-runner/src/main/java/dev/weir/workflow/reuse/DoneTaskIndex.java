package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index of the tasks of earlier runs that one workflow may reuse. Its memory is bounded by the
 * size of the workflow. Callers add the newest run first. Not thread-safe.
 */
public final class DoneTaskIndex {

  private final Map<String, DataFile> files;

  private final Set<String> withoutOutputs = new HashSet<>();

  private final Map<String, DoneTask> tasks = new HashMap<>();
  private final Map<Known, Long> sums = new HashMap<>();
  private final Set<Size> sizes = new HashSet<>();

  private record Known(String path, FileVersion stamp, long bytes) {}

  private record Size(String file, long bytes) {}

  /**
   * Creates an empty index.
   *
   * @param workflow the workflow that may reuse tasks
   */
  public DoneTaskIndex(Workflow workflow) {
    for (Task task : workflow.tasks()) {
      if (task.outputs().isEmpty()) {
        withoutOutputs.add(task.id());
      }
    }
    this.files = workflow.files();
  }

  /**
   * Adds the tasks of a run.
   *
   * @param lines the lines that {@link DoneRun} writes
   * @param source name of the source in the log
   * @return whether all lines were read
   */
  public boolean add(BufferedReader lines, String source) throws IOException {
    return DoneRun.read(lines, source, this);
  }

  /** Returns the file of the workflow with the given id; null if there is none. */
  @Nullable DataFile file(String id) {
    return files.get(id);
  }

  /** Returns whether a file of this id, or a task of this id without outputs, is useful. */
  boolean wants(String id) {
    return files.containsKey(id) || withoutOutputs.contains(id);
  }

  /** Returns whether the workflow has a task without outputs of the given id. */
  boolean wantsWithoutOutputs(String task) {
    return withoutOutputs.contains(task);
  }

  /**
   * Returns whether the workflow may reuse a task of another run, judging by the names of the task
   * and its files.
   *
   * @param task the task in that run's plan
   * @return false if the workflow cannot reuse it
   */
  public boolean mayReuse(Task task) {
    return task.inputs().stream().allMatch(files::containsKey)
        && (task.outputs().isEmpty()
            ? wantsWithoutOutputs(task.id())
            : task.outputs().stream().allMatch(files::containsKey));
  }

  /** Adds a file whose content is known. The stamp is null if the file's version is unknown. */
  void file(String path, FileRecord file, @Nullable FileVersion stamp) {
    sizes.add(new Size(file.file(), file.bytes()));
    if (stamp != null) {
      sums.putIfAbsent(new Known(path, stamp, file.bytes()), file.crc32c());
    }
  }

  void task(DoneTask task) {
    tasks.putIfAbsent(task.key(), task);
  }

  public boolean isEmpty() {
    return tasks.isEmpty();
  }

  @Nullable DoneTask task(String key) {
    return tasks.get(key);
  }

  /**
   * Returns the checksum of a file that has not changed since a run read or wrote it; null
   * otherwise.
   */
  @Nullable Long sum(String path, PresentFile file) {
    FileVersion stamp = file.stamp();
    return stamp == null ? null : sums.get(new Known(path, stamp, file.bytes()));
  }

  /** Returns whether a run had a file of this name and length. Otherwise no task key can match. */
  boolean mayKnow(String file, long bytes) {
    return sizes.contains(new Size(file, bytes));
  }
}
