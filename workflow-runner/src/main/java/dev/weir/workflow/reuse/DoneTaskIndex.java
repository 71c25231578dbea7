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
 * What earlier runs have done, as far as it can be of use to one workflow, so that it takes no more
 * memory than the workflow does for each of them. To be told the newest run first. Not thread-safe.
 */
public final class DoneTaskIndex implements DoneRun.Listener {

  private final Map<String, DataFile> files;

  /** Ids of tasks that make no files. */
  private final Set<String> silent = new HashSet<>();

  private final Map<String, DoneTask> tasks = new HashMap<>();
  private final Map<Known, Long> sums = new HashMap<>();
  private final Set<Size> sizes = new HashSet<>();

  private record Known(String path, FileVersion stamp, long bytes) {}

  private record Size(String file, long bytes) {}

  /**
   * A memory of nothing.
   *
   * @param workflow what it is to be of use to
   */
  public DoneTaskIndex(Workflow workflow) {
    for (Task task : workflow.tasks()) {
      if (task.outputs().isEmpty()) {
        silent.add(task.id());
      }
    }
    this.files = workflow.files();
  }

  /**
   * Adds what a run has done.
   *
   * @param lines as {@link DoneRun} writes them
   * @param source what to call them in the log
   * @return whether they could be read to their end
   * @throws IOException when they cannot be read
   */
  public boolean add(BufferedReader lines, String source) throws IOException {
    return DoneRun.read(lines, source, id -> files.containsKey(id) || silent.contains(id), this);
  }

  /** A file of the workflow that this is to be of use to; null when it has none of this id. */
  @Nullable DataFile file(String id) {
    return files.get(id);
  }

  /** Whether a task that makes no files can be of use, by its id. */
  boolean wantsSilent(String task) {
    return silent.contains(task);
  }

  /**
   * Whether a task of another run may be of use, as far as its name and those of its files tell.
   *
   * @param task as that run's plan has it
   * @return false when it cannot be
   */
  public boolean mayWant(Task task) {
    return task.inputs().stream().allMatch(files::containsKey)
        && (task.outputs().isEmpty()
            ? wantsSilent(task.id())
            : task.outputs().stream().allMatch(files::containsKey));
  }

  @Override
  public void file(String path, FileRecord file, @Nullable FileVersion stamp) {
    sizes.add(new Size(file.file(), file.bytes()));
    if (stamp != null) {
      sums.putIfAbsent(new Known(path, stamp, file.bytes()), file.crc32c());
    }
  }

  @Override
  public void task(DoneTask task) {
    tasks.putIfAbsent(task.key(), task);
  }

  /**
   * Whether there is nothing that could be of use.
   *
   * @return whether no task is known
   */
  public boolean isEmpty() {
    return tasks.isEmpty();
  }

  @Nullable DoneTask task(String key) {
    return tasks.get(key);
  }

  /** The checksum of a file that has not changed since a run read or wrote it; null otherwise. */
  @Nullable Long sum(String path, PresentFile file) {
    FileVersion stamp = file.stamp();
    return stamp == null ? null : sums.get(new Known(path, stamp, file.bytes()));
  }

  /** Whether a run had a file of this name and length: without one no key can be the same. */
  boolean mayKnow(String file, long bytes) {
    return sizes.contains(new Size(file, bytes));
  }
}
