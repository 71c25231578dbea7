package dev.weir.workflow.dispatch;

import dev.weir.workflow.dispatch.TaskState.Status;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.StoredFile;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The tasks and files of a run and what became of them: what waits for what, what is ready, what is
 * done, and what is undone when files are lost. Not thread-safe.
 */
final class Board {

  private final TaskGraph graph;
  private final Map<String, TaskState> tasks = new LinkedHashMap<>();
  private final Map<String, FileState> files = new LinkedHashMap<>();
  private final TreeMap<Long, TaskState> ready = new TreeMap<>();
  private long readyCounter;
  private int done;

  /** A board on which nothing is done; the workflow's inputs are taken to be in HDFS. */
  Board(Workflow workflow) {
    this.graph = new TaskGraph(workflow);
    for (DataFile file : graph.files()) {
      files.put(file.id(), new FileState(file.id()));
    }
    for (Task task : graph.graph().topologicalOrder()) {
      tasks.put(
          task.id(),
          new TaskState(
              task,
              task.inputs().stream().map(this::file).toList(),
              task.outputs().stream().map(this::file).toList(),
              task.after().stream().map(this::task).toList(),
              graph.rank(task.id())));
    }
    graph.graph().workflowInputs().forEach(file -> file(file.id()).stored(Map.of()));
  }

  TaskState task(String id) {
    TaskState task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("No task '" + id + "' in this workflow");
    }
    return task;
  }

  FileState file(String id) {
    FileState file = files.get(id);
    if (file == null) {
      throw new IllegalArgumentException("No file '" + id + "' in this workflow");
    }
    return file;
  }

  /** The task that makes a file again; empty for an input of the workflow. */
  Optional<TaskState> producer(FileState file) {
    return graph.graph().producer(file.id).map(task -> task(task.id()));
  }

  /** Whether an id is that of an input of the task that another task makes. */
  boolean canBeMadeAgain(TaskState task, String fileId) {
    return task.task.inputs().contains(fileId) && producer(file(fileId)).isPresent();
  }

  int size() {
    return tasks.size();
  }

  int done() {
    return done;
  }

  /** Ready tasks, those that have been ready the longest first. */
  Collection<TaskState> ready() {
    return Collections.unmodifiableCollection(ready.values());
  }

  /** Makes ready whatever can be. */
  void start(long now) {
    tasks.values().forEach(task -> makeReadyIfPossible(task, now));
  }

  /** A ready task goes to a worker. */
  void begin(TaskState task, long now) {
    ready.remove(task.readyNumber);
    task.startAttempt(now);
  }

  /** Done, unless one of its outputs was lost in the meantime. */
  void markDone(TaskState task, List<StoredFile> outputs) {
    outputs.forEach(output -> file(output.name()).stored(output.bytesByHost()));
    if (task.missingOutputs().isEmpty() && task.status != Status.DONE) {
      task.status = Status.DONE;
      done++;
    }
  }

  /** Makes ready what waited for a task. */
  void followUp(TaskState task, long now) {
    for (Task child : graph.graph().children(task.id())) {
      makeReadyIfPossible(task(child.id()), now);
    }
  }

  /** After an attempt: the task waits again unless it is done. */
  void retry(TaskState task, long now) {
    if (task.status == Status.RUNNING) {
      task.status = Status.WAITING;
    }
    makeReadyIfPossible(task, now);
  }

  private void makeReadyIfPossible(TaskState task, long now) {
    if (task.status != Status.WAITING || !task.inputsAvailable()) {
      return;
    }
    task.status = Status.READY;
    task.readyMillis = now;
    if (task.readyNumber == 0) {
      task.readyNumber = ++readyCounter;
    }
    ready.put(task.readyNumber, task);
  }

  /**
   * Takes files for lost, and with them what else was only on the given hosts and is still needed:
   * finding that out read by read would cost a time-out each.
   *
   * @param found what was found to be lost
   * @param dead hosts that hold nothing any more
   * @return all that is lost now
   */
  Set<FileState> lose(Collection<FileState> found, Set<String> dead) {
    Set<FileState> lost = new LinkedHashSet<>(found);
    found.forEach(this::invalidate);
    boolean more = !dead.isEmpty();
    while (more) {
      more = false;
      for (FileState file : files.values()) {
        if (file.onlyOn(dead) && producer(file).isPresent() && isNeeded(file)) {
          invalidate(file);
          lost.add(file);
          more = true;
        }
      }
    }
    return lost;
  }

  /** Makes ready those producers of lost files that can make them again. */
  void makeAgain(Collection<FileState> lost, long now) {
    for (FileState file : lost) {
      producer(file).ifPresent(task -> makeReadyIfPossible(task, now));
    }
  }

  private boolean isNeeded(FileState file) {
    List<Task> consumers = graph.graph().consumers(file.id);
    return consumers.isEmpty()
        || consumers.stream().anyMatch(task -> task(task.id()).status != Status.DONE);
  }

  /** A file is gone: its producer is not done any more, its readers wait. */
  void invalidate(FileState file) {
    file.lost();
    producer(file)
        .filter(task -> task.status == Status.DONE)
        .ifPresent(
            task -> {
              task.status = Status.WAITING;
              done--;
            });
    for (Task consumer : graph.graph().consumers(file.id)) {
      TaskState state = task(consumer.id());
      if (state.status == Status.READY) {
        state.status = Status.WAITING;
        ready.remove(state.readyNumber);
      }
    }
  }
}
