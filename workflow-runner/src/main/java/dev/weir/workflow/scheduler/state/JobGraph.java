package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds tasks to a graph and forgets settled ones. If a later task makes a file again, tasks that
 * are added after it read the new file. Not thread-safe.
 */
public final class JobGraph {

  private final WorkflowState graph;
  private final Map<String, TaskState> tasks;
  private final Map<String, FileState> files;
  private final @Nullable Function<Task, Optional<TaskProfiles.Profile>> profiles;

  /**
   * Creates it over the maps of a graph's state.
   *
   * @param profiles for the needs of added tasks; null if no task is added
   */
  JobGraph(
      WorkflowState graph,
      Map<String, TaskState> tasks,
      Map<String, FileState> files,
      @Nullable Function<Task, Optional<TaskProfiles.Profile>> profiles) {
    this.graph = graph;
    this.tasks = tasks;
    this.files = files;
    this.profiles = profiles;
  }

  /** Returns why a task cannot be added now; empty when it can. */
  public Optional<String> refusal(JobAddition addition) {
    Task task = addition.task();
    if (tasks.containsKey(task.id())) {
      return Optional.of("there is a task '" + task.id() + "' already");
    }
    for (String input : task.inputs()) {
      if (!isMadeHere(files.get(input)) && !addition.places().containsKey(input)) {
        return Optional.of("its input '" + input + "' is not in HDFS, and no known task makes it");
      }
    }
    for (String output : task.outputs()) {
      FileState file = files.get(output);
      TaskState producer = file == null ? null : file.producer();
      if (producer != null && !producer.settled()) {
        return Optional.of(
            "task '" + producer.id() + "' has yet to make its output '" + output + "'");
      }
      if (file != null && file.isBeingWritten()) {
        return Optional.of("its output '" + output + "' is being copied to HDFS: try again later");
      }
    }
    for (String before : task.after()) {
      TaskState first = tasks.get(before);
      if (first == null || first.status() == TaskState.Status.DROPPED) {
        return Optional.of(
            "the task '"
                + before
                + "' that must be done before it "
                + (first == null ? "is not known" : "was dropped"));
      }
    }
    return Optional.empty();
  }

  /** Whether a known task has made a file or may still make it. */
  public boolean isMadeHere(String fileId) {
    return isMadeHere(files.get(fileId));
  }

  private static boolean isMadeHere(@Nullable FileState file) {
    TaskState producer = file == null ? null : file.producer();
    return producer != null && producer.status() != TaskState.Status.DROPPED;
  }

  /** Returns a task that {@link #refusal} accepts, to be added; adds its files. */
  TaskState newTask(JobAddition addition) {
    Task task = addition.task();
    List<FileState> inputs = new ArrayList<>();
    for (String id : task.inputs()) {
      inputs.add(input(id, addition));
    }
    List<FileState> outputs = new ArrayList<>();
    for (String id : task.outputs()) {
      FileState fresh = new FileState(id, size(id, addition));
      if (addition.onNodes().contains(id)) {
        fresh.markIntermediate();
      }
      files.put(id, fresh);
      outputs.add(fresh);
    }
    TaskState state = new TaskState(graph, task, inputs, outputs, 0);
    if (profiles != null) {
      WorkerSize size = graph.session().workers().workerSize();
      profiles.apply(task).ifPresent(profile -> state.applyProfile(profile, size));
    }
    state.setPriority(addition.priority());
    state.limitAttempts(addition.attempts());
    return state;
  }

  private FileState input(String id, JobAddition addition) {
    FileState known = files.get(id);
    if (known != null && isMadeHere(known)) {
      return known;
    }
    Map<String, Long> places = addition.places().getOrDefault(id, Map.of());
    if (known != null && known.producer() == null) {
      known.stored(new StoredFile(id, known.sizeBytes(), places), 0);
      return known;
    }
    FileState found = new FileState(id, size(id, addition));
    found.stored(new StoredFile(id, found.sizeBytes(), places), 0);
    files.put(id, found);
    return found;
  }

  private static long size(String id, JobAddition addition) {
    for (DataFile file : addition.files()) {
      if (file.id().equals(id)) {
        return file.sizeBytes();
      }
    }
    return 0;
  }

  /**
   * Forgets settled tasks, and the files that only they read or wrote. Other files that they made
   * are inputs from now on.
   */
  void forget(Collection<TaskState> old) {
    Set<TaskState> gone = new HashSet<>(old);
    Set<FileState> touched = new HashSet<>();
    for (TaskState task : gone) {
      tasks.remove(task.id());
      touched.addAll(task.inputs());
      touched.addAll(task.outputs());
      for (String before : task.task().after()) {
        TaskState first = tasks.get(before);
        if (first != null) {
          first.removeFollower(task);
        }
      }
    }
    for (FileState file : touched) {
      file.forgetTasks(gone);
      if (file.producer() == null && file.readers().isEmpty()) {
        files.remove(file.id(), file);
      }
    }
  }
}
