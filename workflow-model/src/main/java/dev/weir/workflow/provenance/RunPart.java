package dev.weir.workflow.provenance;

import java.util.List;

/**
 * A part of a run's record, as reported to the hints service. Each entry has a key of its own in
 * the run. A repeated entry replaces the earlier one, so a part may be sent any number of times.
 *
 * @param files files with properties of their own; files that tasks name need no entry
 * @param tasks tasks of the workflow, by id
 * @param attempts attempts that have ended, by task and number
 */
public record RunPart(
    List<FileEntry> files,
    List<TaskEntry> tasks,
    List<AttemptEntry> attempts,
    List<WorkerEntry> workers) {

  /** Copies the lists. A missing list is empty. */
  public RunPart {
    files = ValueChecks.listOf(files);
    tasks = ValueChecks.listOf(tasks);
    attempts = ValueChecks.listOf(attempts);
    workers = ValueChecks.listOf(workers);
  }

  public static RunPart ofTasks(List<FileEntry> files, List<TaskEntry> tasks) {
    return new RunPart(files, tasks, List.of(), List.of());
  }

  public static RunPart ofAttempts(List<AttemptEntry> attempts) {
    return new RunPart(List.of(), List.of(), attempts, List.of());
  }

  public static RunPart ofWorkers(List<WorkerEntry> workers) {
    return new RunPart(List.of(), List.of(), List.of(), workers);
  }
}
