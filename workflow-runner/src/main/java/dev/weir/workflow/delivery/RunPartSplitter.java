package dev.weir.workflow.delivery;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Splits the record of a run into parts of limited size. Immutable. */
final class RunPartSplitter {
  static final int MAX_ENTRIES = 500;

  /** A part with this many characters is full. Its last task may exceed the limit. */
  private static final int MAX_CHARACTERS = 1_000_000;

  /** The most files of a part's attempts. A single attempt may exceed it. */
  private static final int MAX_FILES = 10_000;

  private final RunOutline run;

  RunPartSplitter(RunOutline run) {
    this.run = run;
  }

  RunHead head(RunPhase phase, Instant started, @Nullable Instant ended, @Nullable String failure) {
    return new RunHead(
        run.workflow(),
        run.mode(),
        phase,
        run.dataDir(),
        run.standIn(),
        started,
        ended,
        failure,
        null);
  }

  int tasks() {
    return run.tasks().size();
  }

  /** Returns a part with the tasks from the given index on; at least one. */
  RunPart tasks(int from) {
    List<Task> all = run.tasks();
    List<TaskEntry> entries = new ArrayList<>();
    List<FileEntry> files = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    int characters = 0;
    for (int i = from;
        i < all.size() && entries.size() < MAX_ENTRIES && characters < MAX_CHARACTERS;
        i++) {
      Task task = all.get(i);
      entries.add(entry(task));
      characters += task.id().length() + length(task.command());
      characters += length(task.inputs()) + length(task.outputs());
      for (List<String> ids : List.of(task.inputs(), task.outputs())) {
        for (String id : ids) {
          DataFile file = run.files().get(id);
          if (file != null && file.sizeBytes() > 0 && seen.add(id)) {
            files.add(new FileEntry(id, file.sizeBytes()));
          }
        }
      }
    }
    return RunPart.ofTasks(files, entries);
  }

  private static int length(List<String> words) {
    return words.stream().mapToInt(String::length).sum();
  }

  private static TaskEntry entry(Task task) {
    return new TaskEntry(
        task.id(),
        task.type(),
        task.command(),
        task.inputs(),
        task.outputs(),
        task.after(),
        task.needs().cores(),
        task.needs().memoryBytes());
  }

  /** Returns a part with the first of the given attempts; at least one. */
  RunPart attempts(List<TaskRecord> records) {
    List<AttemptEntry> entries = new ArrayList<>();
    int files = 0;
    for (TaskRecord record : records) {
      AttemptEntry entry = AttemptEntry.of(record);
      files += entry.files().size();
      if (!entries.isEmpty() && files > MAX_FILES) {
        break;
      }
      entries.add(entry);
    }
    return RunPart.ofAttempts(entries);
  }
}
