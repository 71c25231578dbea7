package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a graph's tasks and files: what waits, what is ready or done, and what is undone
 * when files are lost. Each task counts its missing inputs, so that no event searches all inputs of
 * a task. Not thread-safe.
 */
public final class WorkflowState {

  /** Id of the graph; empty when ids of its tasks and files have no prefix. */
  private final String id;

  /** Whether tasks are added; such a graph does not end by itself. */
  private final boolean grows;

  /** Whether ready tasks may wait for busy workers. This requires estimates of run times. */
  private final boolean waits;

  private final RuntimeEstimates estimates;

  /** Graphs with a higher priority go first. */
  private int priority;

  /** Whether stragglers may have a second copy. */
  private boolean speculates;

  private boolean over;

  /** How many attempts of it workers have. */
  private int assignedAttempts;

  /** How many cores these attempts count for. */
  private int assignedCores;

  private double computeSeconds;

  private final SessionState session;
  private final WorkerSize size;
  private final Map<String, TaskState> tasks = new LinkedHashMap<>();
  private final Map<String, FileState> files = new LinkedHashMap<>();
  private final JobGraph jobGraph;
  private final ReadyTasks ready;
  private final TaskQueue ahead;

  /** How many ordinary workers its unsettled tasks would fill. */
  private double load;

  /** How many unsettled tasks have each priority. */
  private final NavigableMap<Integer, Integer> openByPriority = new TreeMap<>();

  private int done;
  private int dropped;
  private int reused;

  /** The initial state of a graph. The workflow's inputs are assumed to be in HDFS. */
  public WorkflowState(Graph graph, boolean waits, SessionState session) {
    this(graph.id(), waits, session, graph.habits(), null);
    this.priority = graph.priority();
    this.speculates = graph.speculate();
    Workflow workflow = graph.workflow();
    for (Task task : workflow.tasks()) {
      size.refusal(task)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(
                    ResourceNeeds.of(task.needs()).needDedicatedWorker()
                        ? reason
                        : reason + ": give workers more");
              });
    }
    workflow.files().values().forEach(this::add);
    add(workflow, graph.habits(), 0);
    for (FileState file : files.values()) {
      if (file.producer() == null) {
        store(file, new StoredFile(file.id(), file.sizeBytes(), Map.of()), 0);
      }
    }
    graph.inputs().forEach(this::locate);
    graph.temporaries().stream().flatMap(this::named).forEach(FileState::markTemporary);
    graph.wanted().stream().flatMap(this::named).forEach(FileState::markWanted);
    graph.onNodes().stream().flatMap(this::named).forEach(file -> file.allowOnNode(true));
  }

  private WorkflowState(
      String id,
      boolean waits,
      SessionState session,
      TaskProfiles profiles,
      @Nullable Function<Task, Optional<TaskProfiles.Profile>> ofJobs) {
    this.id = id;
    this.grows = ofJobs != null;
    this.waits = waits;
    this.session = session;
    this.size = session.workers().workerSize();
    this.estimates = new RuntimeEstimates(profiles);
    this.ready = new ReadyTasks(newQueue(), newQueue(), task -> size.fits(task.needs()));
    this.ahead = newQueue();
    this.jobGraph = new JobGraph(this, tasks, files, ofJobs);
  }

  private TaskQueue newQueue() {
    return new TaskQueue(session.policy(), session.caches());
  }

  /** The state of a graph without tasks, to which tasks are added. Run times are not known. */
  public static WorkflowState ofJobs(
      SessionState session, Function<Task, Optional<TaskProfiles.Profile>> profiles) {
    return new WorkflowState("", false, session, TaskProfiles.NONE, profiles);
  }

  public String id() {
    return id;
  }

  /** How long the commands of its done tasks ran, in seconds. */
  public double computeSeconds() {
    return computeSeconds;
  }

  public void addCompute(double seconds) {
    computeSeconds += seconds;
  }

  public boolean grows() {
    return grows;
  }

  public boolean waits() {
    return waits;
  }

  public RuntimeEstimates estimates() {
    return estimates;
  }

  public int priority() {
    return priority;
  }

  public boolean speculates() {
    return speculates;
  }

  public boolean isOver() {
    return over;
  }

  public int assignedAttempts() {
    return assignedAttempts;
  }

  public int assignedCores() {
    return assignedCores;
  }

  public void setPriority(int value) {
    priority = value;
  }

  public void allowSpeculation(boolean whether) {
    speculates = whether;
  }

  public void end() {
    over = true;
  }

  void countAssigned(TaskState task) {
    assignedAttempts++;
    assignedCores += task.cores();
  }

  void countUnassigned(TaskState task) {
    assignedAttempts--;
    assignedCores -= task.cores();
  }

  /** Tasks that are ahead on workers and are not being taken back. */
  public TaskQueue ahead() {
    return ahead;
  }

  /** Its file of that name in the workflow; empty when it was forgotten. */
  public Stream<FileState> named(String name) {
    return known(ScopedId.of(id, name));
  }

  /** Its task of that name in the workflow; null when it is not known. */
  public @Nullable TaskState taskNamed(String name) {
    return tasks.get(ScopedId.of(id, name));
  }

  public SessionState session() {
    return session;
  }

  public JobGraph jobGraph() {
    return jobGraph;
  }

  /**
   * Adds a task that {@link JobGraph#refusal} accepts. Released files that it reads are made again.
   */
  public void add(JobAddition addition, long now) {
    List<FileState> remade = new ArrayList<>();
    for (String input : addition.task().inputs()) {
      known(input)
          .filter(file -> file.isReleased() && file.producer() != null)
          .forEach(file -> remade.addAll(requireAgain(file)));
    }
    TaskState task = jobGraph.newTask(addition);
    link(task);
    ready.offer(task, now);
    offerProducers(remade, now);
  }

  /**
   * Adds the tasks of a workflow, whose files are known.
   *
   * @param after the rank of the tasks after them
   */
  public List<TaskState> add(Workflow workflow, TaskProfiles profiles, double after) {
    WorkflowGraph graph = workflow.graph();
    Map<String, Double> ranks = Ranks.of(graph, profiles);
    List<TaskState> added = new ArrayList<>();
    for (Task task : graph.topologicalOrder()) {
      double rank = ranks.getOrDefault(task.id(), 0.0) + after;
      TaskState state =
          new TaskState(this, task, known(task.inputs()), known(task.outputs()), rank);
      state.estimateSeconds(Ranks.seconds(task, profiles));
      profiles.of(task.type()).ifPresent(profile -> state.applyProfile(profile, size));
      link(state);
      added.add(state);
    }
    return added;
  }

  /** A copied list of one or two elements takes half of the memory. */
  private List<FileState> known(List<String> names) {
    return List.copyOf(names.stream().map(name -> file(ScopedId.of(id, name))).toList());
  }

  private void link(TaskState task) {
    for (FileState input : task.inputs()) {
      input.readBy(task);
      if (input.available()) {
        task.dependencyMet();
      }
    }
    task.outputs().forEach(file -> file.madeBy(task));
    for (String before : task.task().after()) {
      TaskState first = taskNamed(before);
      if (first == null || first.status() == Status.DONE) {
        task.dependencyMet();
      }
      if (first != null) {
        first.addFollower(task);
      }
    }
    tasks.put(task.id(), task);
    open(task);
  }

  public void add(DataFile declared) {
    String fileId = ScopedId.of(id, declared.id());
    FileState file = new FileState(fileId, declared.id(), declared.sizeBytes());
    if (declared.calledTemporary()) {
      file.markScratch();
    }
    files.put(fileId, file);
  }

  private void open(TaskState task) {
    load += share(task);
    openByPriority.merge(task.priority(), 1, Integer::sum);
  }

  private void close(TaskState task) {
    load -= share(task);
    removeOpen(task.priority());
  }

  private void removeOpen(int taskPriority) {
    openByPriority.computeIfPresent(taskPriority, (same, count) -> count == 1 ? null : count - 1);
  }

  private double share(TaskState task) {
    return !task.isSubWorkflow() && size.fits(task.needs()) ? size.share(task.needs()) : 0;
  }

  /** Changes the rank of a task, which may be ready or ahead. */
  public void rank(TaskState task, double rank) {
    boolean isAhead = ahead.contains(task);
    if (isAhead) {
      ahead.remove(task);
    }
    ready.rank(task, rank);
    if (isAhead) {
      ahead.add(task);
    }
  }

  /** Returns those outputs of tasks that only nodes have: these tasks cannot be forgotten yet. */
  public List<FileState> onlyOnNodes(Collection<String> taskIds) {
    return taskIds.stream()
        .map(tasks::get)
        .filter(Objects::nonNull)
        .flatMap(task -> task.outputs().stream())
        .filter(FileState::isOnlyOnNode)
        .toList();
  }

  /**
   * Forgets those tasks that are settled and whose outputs HDFS has.
   *
   * @return the ids that no known task has now
   */
  public List<String> forget(Collection<String> ids) {
    List<TaskState> old = new ArrayList<>();
    for (String id : ids) {
      TaskState task = tasks.get(id);
      if (task != null && mayBeForgotten(task)) {
        for (FileState file : task.outputs()) {
          if (file.fallBackToCopy()) {
            session.nodeFiles().changed(file);
          }
        }
        old.add(task);
        done -= isDropped(task) ? 0 : 1;
        dropped -= isDropped(task) ? 1 : 0;
      }
    }
    jobGraph.forget(old);
    return ids.stream().filter(id -> !tasks.containsKey(id)).toList();
  }

  private static boolean mayBeForgotten(TaskState task) {
    return task.settled()
        && task.worker() == null
        && task.secondCopy() == null
        && task.outputs().stream()
            .noneMatch(file -> file.isOnlyOnNode() || (file.isOnNode() && file.hasOpenReader()));
  }

  /** How many workers the unsettled tasks would keep busy if all were ready. */
  public double wantedWorkers() {
    return load;
  }

  public TaskState task(String id) {
    TaskState task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("No task '" + id + "' in this workflow");
    }
    return task;
  }

  public @Nullable TaskState taskOrNull(String id) {
    return tasks.get(id);
  }

  public FileState file(String id) {
    FileState file = files.get(id);
    if (file == null) {
      throw new IllegalArgumentException("No file '" + id + "' in this workflow");
    }
    return file;
  }

  /** The file of an id; empty when it was forgotten. */
  public Stream<FileState> known(String id) {
    return Stream.ofNullable(files.get(id));
  }

  /** Returns whether a file is the newest with its id: no later task makes another one. */
  public boolean hasCurrent(FileState file) {
    return files.get(file.id()) == file;
  }

  /** Whether an id is that of an input of the task that a task makes. */
  public boolean canBeMadeAgain(TaskState task, String fileId) {
    FileState file = files.get(fileId);
    return file != null && file.producer() != null && task.inputs().contains(file);
  }

  public int size() {
    return tasks.size();
  }

  public int done() {
    return done;
  }

  /** How many tasks are dropped. */
  public int dropped() {
    return dropped;
  }

  /** How many tasks an earlier run has done. */
  public int reused() {
    return reused;
  }

  public boolean settled() {
    return done + dropped == tasks.size();
  }

  public Collection<TaskState> all() {
    return Collections.unmodifiableCollection(tasks.values());
  }

  private static boolean isDropped(TaskState task) {
    return task.status() == Status.DROPPED;
  }

  /** Ready tasks that fit ordinary workers. */
  public TaskQueue ready() {
    return ready.queue();
  }

  /** Its ready tasks, also those that need dedicated workers. */
  public ReadyTasks readyTasks() {
    return ready;
  }

  /** Starts the graph: tasks become ready from now on. */
  public void start(long now) {
    ready.start();
    tasks.values().forEach(task -> ready.offer(task, now));
  }

  /** Sets the location of an input of the workflow. */
  public void locate(StoredFile input) {
    store(file(ScopedId.of(id, input.name())), input, 0);
  }

  /**
   * Stores outputs of a task, which may make other tasks ready. The task is done if no other output
   * of it was lost meanwhile.
   */
  public void markDone(TaskState task, List<StoredFile> outputs, long now) {
    for (StoredFile output : outputs) {
      FileState file = output(task, output.name());
      if (file != null) {
        store(file, output, now);
      } else if (!grows()) {
        // Only jobs have patterns, whose files are not in the graph unless a task reads them.
        throw new IllegalArgumentException("No file '" + output.name() + "' in this workflow");
      }
    }
    if (task.outputsAvailable() && task.status() != Status.DONE) {
      if (isDropped(task)) {
        // The task ended before it could be stopped.
        dropped--;
      } else {
        close(task);
      }
      task.complete();
      done++;
      for (TaskState follower : task.followers()) {
        decrementMissing(follower, now);
      }
    }
  }

  /** Marks a task as done by an earlier run. Its outputs are in HDFS, or no task needs them. */
  public void takeOver(TaskState task, List<StoredFile> outputs) {
    reused++;
    markDone(task, outputs, 0);
    for (StoredFile output : outputs) {
      if (output.sizeBytes() > 0 && output.bytesByHost().isEmpty()) {
        Objects.requireNonNull(output(task, output.name())).release();
      }
    }
  }

  /**
   * Returns the file that this task makes, if it declares it; a later task may make another one
   * with the same name. A file that a pattern has found is returned if no task makes it.
   */
  private @Nullable FileState output(TaskState task, String id) {
    FileState known = files.get(id);
    if (known != null && known.producer() == task) {
      return known;
    }
    return task.outputs().stream()
        .filter(file -> file.id().equals(id))
        .findFirst()
        .orElse(known == null || known.producer() == null ? known : null);
  }

  private void store(FileState file, StoredFile found, long now) {
    boolean isNew = !file.available();
    session.caches().forgetFile(file.id());
    file.stored(found, now);
    session.nodeFiles().changed(file);
    if (isNew) {
      for (TaskState reader : file.readers()) {
        decrementMissing(reader, now);
      }
    }
  }

  private void decrementMissing(TaskState task, long now) {
    task.dependencyMet();
    ready.offer(task, now);
  }

  private void incrementMissing(TaskState task) {
    task.dependencyLost();
    ready.putBack(task);
  }

  /** Makes a task wait again after an attempt, unless it is done. */
  public void retry(TaskState task, long now) {
    if (task.status() == Status.ASSIGNED) {
      task.becomeWaiting();
    }
    ready.offer(task, now);
  }

  /** Changes the priority of a task. */
  void prioritise(TaskState task, int priority) {
    if (!task.settled()) {
      removeOpen(task.priority());
      openByPriority.merge(priority, 1, Integer::sum);
    }
    ready.prioritise(task, priority);
  }

  /**
   * Whether a user put this unsettled task before others, wherever its bytes are. When all tasks
   * have the same priority, none is before others.
   */
  public boolean isUrgent(TaskState task) {
    return task.priority() > 0 && !openByPriority.headMap(task.priority()).isEmpty();
  }

  /** Raises the needs of a task that was killed for memory. */
  public void memoryExceeded(TaskState task) {
    boolean isReady = task.status() == Status.READY;
    ready.putBack(task);
    double before = share(task);
    task.raiseNeeds(size);
    if (!task.settled()) {
      load += share(task) - before;
    }
    if (isReady) {
      ready.offer(task, task.readyMillis());
    }
  }

  public void drop(TaskState task) {
    ready.putBack(task);
    task.drop();
    close(task);
    dropped++;
  }

  /** Restores a dropped task. */
  public void restore(TaskState task, long now) {
    dropped--;
    open(task);
    task.restore();
    ready.offer(task, now);
  }

  public Collection<FileState> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /** Makes those producers of lost files ready that can run. */
  public void offerProducers(Collection<FileState> lost, long now) {
    for (FileState file : lost) {
      if (file.producer() != null) {
        ready.offer(file.producer(), now);
      }
    }
  }

  /**
   * Marks a file as lost: its producer is not done any more, and its readers wait. Released inputs
   * of the producer are lost, too, and so on recursively.
   *
   * @return released files that are needed again
   */
  public List<FileState> invalidate(FileState file) {
    List<FileState> wanted = new ArrayList<>();
    boolean wasAvailable = file.available();
    file.lost();
    undo(file, wasAvailable, wanted);
    undoAll(wanted);
    return wanted;
  }

  /** Makes a released file missing, because a new task needs it. */
  public List<FileState> requireAgain(FileState file) {
    file.markMissing();
    List<FileState> wanted = new ArrayList<>(List.of(file));
    undoAll(wanted);
    return wanted;
  }

  /** Undoes the producers of released files; the list grows by the files that these need. */
  private void undoAll(List<FileState> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      undo(wanted.get(i), true, wanted);
    }
  }

  private void undo(FileState file, boolean wasAvailable, List<FileState> wanted) {
    session.caches().forgetFile(file.id());
    session.nodeFiles().changed(file);
    TaskState producer = file.producer();
    if (producer != null && file.awaitDeletion()) {
      // The deletion in progress could delete the new file.
      incrementMissing(producer);
    }
    if (producer != null && producer.status() == Status.DONE) {
      producer.becomeWaiting();
      open(producer);
      done--;
      producer.followers().forEach(this::incrementMissing);
      for (FileState input : producer.inputs()) {
        if (input.isReleased()) {
          input.markMissing();
          wanted.add(input);
        }
      }
    }
    if (wasAvailable) {
      file.readers().forEach(this::incrementMissing);
    }
  }

  /** Ends a deletion; the file can be made again. */
  public void deleted(FileState file, long now) {
    TaskState producer = file.producer();
    if (file.endDeletion() && producer != null) {
      decrementMissing(producer, now);
    }
  }
}
