package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks and files of a graph and what became of them: what waits for what, what is ready, what
 * is done, and what is undone when files are lost. Each task counts what it misses, so that nobody
 * has to look through its inputs again whenever one of them comes. Not thread-safe.
 */
final class WorkflowState {

  /** Of the graph; empty when ids of its tasks and files have no prefix. */
  final String id;

  /** Whether tasks are added: such a graph has no end of its own. */
  final boolean grows;

  /**
   * Whether ready tasks may wait for busy workers; that makes sense only where it can be known how
   * long these are busy.
   */
  final boolean waits;

  /** How long its tasks take. */
  final RuntimeEstimates paces;

  /** Graphs with a higher one go first. */
  int priority;

  /** Whether stragglers may have a second copy. */
  boolean speculates;

  /** Whether inputs may be copied ahead. */
  boolean copiesAhead;

  /** Whether it has ended, one way or the other. */
  boolean over;

  /** How many attempts workers have in hand. */
  int attemptsInHand;

  /** How many cores these count for. */
  int coresInHand;

  private final Map<String, TaskState> tasks;
  private final Map<String, FileState> files;
  private final JobGraph growth;
  private final Policy policy;
  private final CacheIndex caches;
  private final ReadyTasks ready;

  /** What workers have ahead and nobody has asked back. */
  private final TaskQueue ahead;

  private final OpenTasks open;
  private int done;
  private int dropped;
  private int reused;

  /**
   * What graphs of a session have in common.
   *
   * @param caches what nodes keep beside HDFS
   */
  record Shared(Policy policy, WorkerSize size, CacheIndex caches) {

    /** With caches of which nothing is known. */
    Shared(Policy policy, WorkerSize size) {
      this(policy, size, new CacheIndex(CacheIndex.MOST));
    }
  }

  /**
   * What becomes of a graph.
   *
   * @param grows whether tasks are added
   * @param waits whether ready tasks may wait for busy workers
   */
  record Kind(boolean grows, boolean waits) {

    /** All tasks are known from the start. */
    static final Kind WORKFLOW = new Kind(false, true);

    /** Nobody knows how long jobs take. */
    static final Kind JOBS = new Kind(true, false);
  }

  /** The board of a graph without a prefix, for itself. */
  WorkflowState(Workflow workflow, Policy policy, WorkerSize size, TaskProfiles habits) {
    this(
        new Graph(
            "", workflow, Limits.DEFAULT, 0, false, false, habits, Set.of(), Set.of(), List.of()),
        Kind.WORKFLOW,
        new Shared(policy, size));
  }

  /** A board on which nothing is done; the workflow's inputs are taken to be in HDFS. */
  WorkflowState(Graph graph, Kind kind, Shared shared) {
    this(graph.id(), kind, shared, graph.workflow(), graph.habits());
    this.priority = graph.priority();
    this.speculates = graph.speculate();
    this.copiesAhead = graph.copyAhead() && policy == Policy.DATA_AWARE;
    for (FileState file : files.values()) {
      if (file.producer == null) {
        store(file, new StoredFile(file.id, file.sizeBytes, Map.of()), 0);
      }
    }
    graph.inputs().forEach(this::locate);
  }

  private WorkflowState(
      String id, Kind kind, Shared shared, @Nullable Workflow workflow, TaskProfiles habits) {
    this.id = id;
    this.grows = kind.grows();
    this.waits = kind.waits();
    this.policy = shared.policy();
    this.caches = shared.caches();
    this.paces = new RuntimeEstimates(habits);
    this.ready = new ReadyTasks(new TaskQueue(policy, caches));
    this.ahead = new TaskQueue(policy, caches);
    this.open = new OpenTasks(shared.size());
    TaskGraph graph =
        workflow == null ? TaskGraph.empty() : new TaskGraph(this, workflow, habits, shared.size());
    this.tasks = graph.tasks();
    this.files = graph.files();
    this.growth = new JobGraph(this, tasks, files);
    tasks.values().forEach(open::add);
  }

  /** The board of a graph without tasks, to which they are added. */
  static WorkflowState ofJobs(Shared shared, Function<Task, Optional<TaskProfiles.Habit>> habits) {
    WorkflowState board = new WorkflowState("", Kind.JOBS, shared, null, TaskProfiles.NONE);
    board.growth.taughtBy(
        task -> habits.apply(task.task).ifPresent(habit -> task.learn(habit, shared.size())));
    return board;
  }

  /** Whether its beginning and its end are recorded, for others may come before and after it. */
  boolean isNamed() {
    return !id.isEmpty();
  }

  /** In which order tasks are wanted. */
  Policy policy() {
    return policy;
  }

  /** What workers have ahead and nobody has asked back. */
  TaskQueue ahead() {
    return ahead;
  }

  /** Its own file that is called so in the workflow; none when it was forgotten. */
  Stream<FileState> named(String name) {
    return known(ScopedId.of(id, name));
  }

  /** Its own task that is called so in the workflow; null when it is not known. */
  @Nullable TaskState taskNamed(String name) {
    return tasks.get(ScopedId.of(id, name));
  }

  /** What nodes keep beside HDFS. */
  CacheIndex caches() {
    return caches;
  }

  /** What makes the graph grow and shrink. */
  JobGraph growth() {
    return growth;
  }

  /** Adds a task that was not refused. */
  void add(JobAddition addition, long now) {
    TaskState task = growth.add(addition);
    open.add(task);
    ready.offer(task, now);
  }

  /**
   * Forgets tasks that are settled; others stay.
   *
   * @return the ids of which no task is known now
   */
  List<String> forget(Collection<String> ids) {
    List<TaskState> old = new ArrayList<>();
    for (String id : ids) {
      TaskState task = tasks.get(id);
      if (task != null && task.settled() && task.worker == null && task.twin == null) {
        old.add(task);
        done -= isDropped(task) ? 0 : 1;
        dropped -= isDropped(task) ? 1 : 0;
      }
    }
    growth.forget(old);
    return ids.stream().filter(id -> !tasks.containsKey(id)).toList();
  }

  /** How many workers the tasks that are not settled would keep busy, were all ready. */
  double wantedWorkers() {
    return open.wantedWorkers();
  }

  TaskState task(String id) {
    TaskState task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("No task '" + id + "' in this workflow");
    }
    return task;
  }

  @Nullable TaskState taskOrNull(String id) {
    return tasks.get(id);
  }

  FileState file(String id) {
    FileState file = files.get(id);
    if (file == null) {
      throw new IllegalArgumentException("No file '" + id + "' in this workflow");
    }
    return file;
  }

  /** The file of an id; none when it was forgotten. */
  Stream<FileState> known(String id) {
    return Stream.ofNullable(files.get(id));
  }

  /** Whether an id is that of an input of the task that another task makes. */
  boolean canBeMadeAgain(TaskState task, String fileId) {
    FileState file = files.get(fileId);
    return file != null && file.producer != null && task.inputs.contains(file);
  }

  int size() {
    return tasks.size();
  }

  int done() {
    return done;
  }

  /** How many tasks will not be done. */
  int dropped() {
    return dropped;
  }

  /** How many tasks were taken over from an earlier run. */
  int reused() {
    return reused;
  }

  /** Whether every task is done or will not be. */
  boolean settled() {
    return done + dropped == tasks.size();
  }

  Collection<TaskState> all() {
    return Collections.unmodifiableCollection(tasks.values());
  }

  private static boolean isDropped(TaskState task) {
    return task.status == Status.DROPPED;
  }

  /** Tasks that only a worker is missing for. */
  TaskQueue ready() {
    return ready.queue();
  }

  /**
   * Tasks that have become ready since the last call, whether they still are or not; the one that
   * is wanted first at the front.
   */
  List<TaskState> takeNewlyReady() {
    return ready.takeFresh();
  }

  /** Makes ready whatever can be, now and from now on. */
  void start(long now) {
    ready.start();
    tasks.values().forEach(task -> ready.offer(task, now));
  }

  /** Says where an input of the workflow is. */
  void locate(StoredFile input) {
    store(file(ScopedId.of(id, input.name())), input, 0);
  }

  /** A ready task goes to a worker. */
  void begin(TaskState task, long now) {
    ready.begin(task, now);
  }

  /**
   * The outputs of a task are there, which makes ready what waited for them. The task is done
   * unless another of its outputs was lost in the meantime.
   */
  void markDone(TaskState task, List<StoredFile> outputs, long now) {
    for (StoredFile output : outputs) {
      store(output(task, output.name()), output, now);
    }
    if (task.outputsAvailable() && task.status != Status.DONE) {
      if (isDropped(task)) {
        // It was stopped too late.
        dropped--;
        task.root = false;
      } else {
        open.remove(task);
      }
      task.status = Status.DONE;
      // Of tasks that are done there may be very many.
      task.places = List.of();
      done++;
      for (TaskState follower : task.followers) {
        lessMissing(follower, now);
      }
    }
  }

  /** A task need not be run; its outputs are there, or nobody needs them. */
  void takeOver(TaskState task, List<StoredFile> outputs) {
    reused++;
    markDone(task, outputs, 0);
    for (StoredFile output : outputs) {
      if (output.sizeBytes() > 0 && output.bytesByHost().isEmpty()) {
        output(task, output.name()).letGo();
      }
    }
  }

  /** The file that the task itself makes: a later one may make another of that name. */
  private FileState output(TaskState task, String id) {
    FileState known = files.get(id);
    if (known != null && known.producer == task) {
      return known;
    }
    return task.outputs.stream()
        .filter(file -> file.id.equals(id))
        .findFirst()
        .orElseGet(() -> file(id));
  }

  private void store(FileState file, StoredFile found, long now) {
    boolean isNew = !file.available();
    caches.forgetFile(file.id);
    file.stored(found.sizeBytes(), found.bytesByHost(), found.extents(), now);
    file.fileId = found.fileId();
    if (isNew) {
      for (TaskState reader : file.readers) {
        lessMissing(reader, now);
      }
    }
  }

  private void lessMissing(TaskState task, long now) {
    task.missing--;
    ready.offer(task, now);
  }

  private void moreMissing(TaskState task) {
    task.missing++;
    ready.putBack(task);
  }

  /** After an attempt: the task waits again unless it is done. */
  void retry(TaskState task, long now) {
    if (task.status == Status.GIVEN) {
      task.status = Status.WAITING;
    }
    ready.offer(task, now);
  }

  /** While it is paused nothing becomes ready. */
  void pause(boolean whether) {
    ready.pause(whether);
  }

  boolean paused() {
    return ready.paused();
  }

  /** A task that is ready waits again, until {@link #retry}. */
  void putBack(TaskState task) {
    ready.putBack(task);
  }

  /** Makes ready what has rested for long enough. */
  void wake(long now) {
    ready.wake(now);
  }

  /** Makes it ready when nothing keeps it any more. */
  void wake(TaskState task, long now) {
    ready.offer(task, now);
  }

  /** Changes what a task comes before. */
  void prioritise(TaskState task, int priority) {
    if (!task.settled()) {
      open.prioritise(task, priority);
    }
    ready.prioritise(task, priority);
  }

  /** Whether somebody wants a task that is not settled before others, wherever its bytes are. */
  boolean isUrgent(TaskState task) {
    return open.isUrgent(task);
  }

  /** A task was killed for want of memory: its next attempt needs more. */
  void starved(TaskState task) {
    open.starved(task);
  }

  /** A task will not be done. */
  void drop(TaskState task) {
    putBack(task);
    task.status = Status.DROPPED;
    open.remove(task);
    dropped++;
  }

  /** A task that was dropped is to be done after all. */
  void restore(TaskState task, long now) {
    dropped--;
    open.add(task);
    task.status = task.worker == null ? Status.WAITING : Status.GIVEN;
    ready.offer(task, now);
  }

  /** All files. */
  Collection<FileState> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /** Makes ready those producers of lost files that can make them again. */
  void makeAgain(Collection<FileState> lost, long now) {
    for (FileState file : lost) {
      if (file.producer != null) {
        ready.offer(file.producer, now);
      }
    }
  }

  /**
   * A file is gone: its producer is not done any more, its readers wait. What the producer reads
   * and was let go is gone, too, and so on as deep as files were let go.
   *
   * @return what was let go and is needed again
   */
  List<FileState> invalidate(FileState file) {
    List<FileState> wanted = new ArrayList<>();
    boolean was = file.available();
    file.lost();
    undo(file, was, wanted);
    for (int i = 0; i < wanted.size(); i++) {
      undo(wanted.get(i), true, wanted);
    }
    return wanted;
  }

  private void undo(FileState file, boolean was, List<FileState> wanted) {
    caches.forgetFile(file.id);
    TaskState producer = file.producer;
    if (producer != null && file.going && !file.awaited) {
      // Or the deletion that is under way might be that of the new one.
      file.awaited = true;
      moreMissing(producer);
    }
    if (producer != null && producer.status == Status.DONE) {
      producer.status = Status.WAITING;
      open.add(producer);
      done--;
      producer.followers.forEach(this::moreMissing);
      for (FileState input : producer.inputs) {
        if (input.isLetGo()) {
          input.wantedAgain();
          wanted.add(input);
        }
      }
    }
    if (was) {
      file.readers.forEach(this::moreMissing);
    }
  }

  /** A deletion is over: a file that is wanted again can be made. */
  void deleted(FileState file, long now) {
    TaskState producer = file.producer;
    file.going = false;
    if (producer != null && file.awaited) {
      file.awaited = false;
      lessMissing(producer, now);
    }
  }
}
