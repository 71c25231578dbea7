package dev.weir.workflow.dispatch;

import dev.weir.workflow.dispatch.TaskState.Status;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hands the tasks of a workflow to workers as they come free, until all are done or one has failed
 * for good. A pure state machine: each event returns the records that a journal needs and the
 * effects to be carried out; it reads no clock and starts no thread. Not thread-safe: one thread
 * tells it all events.
 *
 * <p>What holds at any time: a task runs on at most one live worker; it starts only when HDFS holds
 * all its inputs as far as anybody knows; a task is done only while each of its outputs that is
 * still needed is held. When an input turns out to be lost its producer is taken for not done,
 * which goes as deep as the losses do.
 */
public final class Dispatcher {

  private final TaskGraph graph;
  private final Limits limits;
  private final Chooser chooser;
  private final Map<String, TaskState> tasks = new LinkedHashMap<>();
  private final Map<String, FileState> files = new LinkedHashMap<>();
  private final TreeMap<Long, TaskState> ready = new TreeMap<>();
  private final Map<String, WorkerState> workers = new LinkedHashMap<>();

  /** Nodes that had a worker and have none now: what only they held is suspect. */
  private final Set<String> lostNodes = new HashSet<>();

  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private long readyCounter;
  private int done;
  private int failedAttempts;
  private long inputBytesLocal;
  private long inputBytesRemote;
  private boolean finished;

  /**
   * A dispatcher that has not started; the workflow's inputs are taken to be in HDFS.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   */
  public Dispatcher(Workflow workflow, Policy policy, Limits limits) {
    this.graph = new TaskGraph(workflow);
    this.limits = limits;
    this.chooser = Chooser.of(policy);
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

  private TaskState task(String id) {
    TaskState task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("No task '" + id + "' in this workflow");
    }
    return task;
  }

  private FileState file(String id) {
    FileState file = files.get(id);
    if (file == null) {
      throw new IllegalArgumentException("No file '" + id + "' in this workflow");
    }
    return file;
  }

  /**
   * Says where a workflow input is. To be called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  public void locate(String fileId, Map<String, Long> bytesByHost) {
    file(fileId).stored(bytesByHost);
  }

  /**
   * Takes over what an earlier dispatcher of the same run recorded. To be called before {@link
   * #start}, once for each record in order.
   *
   * @param record the record
   */
  public void replay(DispatchRecord record) {
    if (record instanceof DispatchRecord.FilesLost lost) {
      lost.files().forEach(id -> invalidate(file(id)));
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      TaskReport report = ended.report();
      TaskState task = task(report.task());
      task.attempts = Math.max(task.attempts, report.attempt());
      count(report);
      switch (report.result()) {
        case SUCCEEDED -> markDone(task, report.outputs());
        case FAILED -> {
          task.failures++;
          task.failedNodes.add(ended.worker().node());
        }
        case INPUT_LOST -> {}
        case WORKER_LOST -> task.losses++;
      }
    }
  }

  /**
   * Starts the run.
   *
   * @param now milliseconds since the epoch
   * @return what follows
   */
  public Step start(long now) {
    tasks.values().forEach(task -> makeReadyIfPossible(task, now));
    return step(now);
  }

  /**
   * A worker is there.
   *
   * @param worker the worker, not known so far
   * @param now milliseconds since the epoch
   * @return what follows
   */
  public Step workerJoined(WorkerInfo worker, long now) {
    workers.putIfAbsent(worker.id(), new WorkerState(worker));
    lostNodes.remove(worker.node());
    return step(now);
  }

  /**
   * A worker is gone; what it ran is lost.
   *
   * @param workerId its id; an unknown one is ignored
   * @param reason why it is taken for gone
   * @param now milliseconds since the epoch
   * @return what follows
   */
  public Step workerLost(String workerId, String reason, long now) {
    WorkerState worker = workers.remove(workerId);
    if (worker == null) {
      return step(now);
    }
    String node = worker.info.node();
    if (workers.values().stream().noneMatch(other -> other.info.node().equals(node))) {
      lostNodes.add(node);
    }
    TaskState task = worker.running;
    if (task != null) {
      TaskReport report = TaskReport.workerLost(task.id(), task.attempts, reason);
      record(task, worker.info, report, now);
      task.losses++;
      if (task.losses >= limits.losses()) {
        fail(task, worker.info, report);
      }
      retry(task, now);
    }
    return step(now);
  }

  /**
   * A worker reports the end of an attempt. A report of an attempt that is not the worker's current
   * one is ignored.
   *
   * @param workerId id of the worker
   * @param report what it says
   * @param now milliseconds since the epoch
   * @return what follows
   */
  public Step reported(String workerId, TaskReport report, long now) {
    WorkerState worker = workers.get(workerId);
    TaskState task = worker == null ? null : worker.running;
    if (worker == null
        || task == null
        || !task.id().equals(report.task())
        || task.attempts != report.attempt()) {
      return step(now);
    }
    worker.running = null;
    record(task, worker.info, report, now);
    switch (report.result()) {
      case SUCCEEDED -> succeeded(task, report, now);
      case FAILED, WORKER_LOST -> failed(task, worker.info, report, now);
      case INPUT_LOST -> inputLost(task, worker.info, report, now);
    }
    return step(now);
  }

  private void record(TaskState task, WorkerInfo worker, TaskReport report, long now) {
    records.add(
        new DispatchRecord.AttemptEnded(
            worker, task.readyMillis, task.dispatchedMillis, now, report));
    count(report);
  }

  private void count(TaskReport report) {
    if (report.result() != TaskReport.Result.SUCCEEDED) {
      failedAttempts++;
    }
    inputBytesLocal += report.usage().inputBytesLocal();
    inputBytesRemote += report.usage().inputBytesRemote();
  }

  private void succeeded(TaskState task, TaskReport report, long now) {
    markDone(task, report.outputs());
    for (Task child : graph.graph().children(task.id())) {
      makeReadyIfPossible(task(child.id()), now);
    }
    retry(task, now);
  }

  /** Done, unless one of its outputs was lost in the meantime. */
  private void markDone(TaskState task, List<StoredFile> outputs) {
    outputs.forEach(output -> file(output.name()).stored(output.bytesByHost()));
    if (task.missingOutputs().isEmpty() && task.status != Status.DONE) {
      task.status = Status.DONE;
      done++;
    }
  }

  private void failed(TaskState task, WorkerInfo worker, TaskReport report, long now) {
    task.failures++;
    task.failedNodes.add(worker.node());
    if (task.failures >= limits.attempts()) {
      fail(task, worker, report);
    }
    retry(task, now);
  }

  private void inputLost(TaskState task, WorkerInfo worker, TaskReport report, long now) {
    Set<FileState> lost = new LinkedHashSet<>();
    for (String id : report.lostInputs()) {
      FileState file = files.get(id);
      if (file == null || !task.inputs.contains(file) || producer(file) == null) {
        failed(task, worker, report, now);
        return;
      }
      if (file.available() && task.wasGivenCurrent(file)) {
        lost.add(file);
      }
    }
    if (lost.stream().anyMatch(file -> file.losses() + 1 >= limits.losses())) {
      fail(task, worker, report);
    }
    loseTogether(lost, now);
    retry(task, now);
  }

  /**
   * Takes files for lost, and with them what else was only on the same dead nodes and is still
   * needed: finding that out read by read would cost a time-out each.
   */
  private void loseTogether(Set<FileState> found, long now) {
    Set<String> dead = new HashSet<>();
    found.forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(lostNodes);
    Set<FileState> lost = new LinkedHashSet<>(found);
    found.forEach(this::invalidate);
    boolean more = !dead.isEmpty();
    while (more) {
      more = false;
      for (FileState file : files.values()) {
        if (onlyOn(file, dead) && producer(file) != null && needed(file)) {
          invalidate(file);
          lost.add(file);
          more = true;
        }
      }
    }
    if (!lost.isEmpty()) {
      records.add(new DispatchRecord.FilesLost(lost.stream().map(file -> file.id).toList()));
    }
    for (FileState file : lost) {
      TaskState producer = producer(file);
      if (producer != null) {
        makeReadyIfPossible(producer, now);
      }
    }
  }

  private static boolean onlyOn(FileState file, Collection<String> hosts) {
    return file.available() && !file.hosts().isEmpty() && hosts.containsAll(file.hosts());
  }

  private boolean needed(FileState file) {
    List<Task> consumers = graph.graph().consumers(file.id);
    return consumers.isEmpty()
        || consumers.stream().anyMatch(task -> task(task.id()).status != Status.DONE);
  }

  private @org.jspecify.annotations.Nullable TaskState producer(FileState file) {
    return graph.graph().producer(file.id).map(task -> task(task.id())).orElse(null);
  }

  private void invalidate(FileState file) {
    file.lost();
    TaskState producer = producer(file);
    if (producer != null && producer.status == Status.DONE) {
      producer.status = Status.WAITING;
      done--;
    }
    for (Task consumer : graph.graph().consumers(file.id)) {
      TaskState state = task(consumer.id());
      if (state.status == Status.READY) {
        state.status = Status.WAITING;
        ready.remove(state.readyNumber);
      }
    }
  }

  /** After an attempt: the task waits again unless it is done. */
  private void retry(TaskState task, long now) {
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

  private void fail(TaskState task, WorkerInfo worker, TaskReport report) {
    if (finished) {
      return;
    }
    finished = true;
    effects.add(
        new Effect.Failed(
            new RunFailure(
                task.id(),
                task.failures + task.losses,
                task.task.command(),
                report.exitCode(),
                worker.node(),
                report.message(),
                report.stderrTail())));
  }

  /** Assigns what can be assigned and hands over what this event led to. */
  private Step step(long now) {
    if (!finished && done == tasks.size()) {
      finished = true;
      effects.add(new Effect.Succeeded());
    }
    if (!finished) {
      assign(now);
    }
    Step step = new Step(records, effects);
    records.clear();
    effects.clear();
    return step;
  }

  private void assign(long now) {
    List<WorkerState> free =
        new ArrayList<>(workers.values().stream().filter(WorkerState::free).toList());
    while (!free.isEmpty() && !ready.isEmpty()) {
      Chooser.Choice choice = chooser.next(ready.values(), free, this::allowed).orElse(null);
      if (choice == null) {
        return;
      }
      ready.remove(choice.task().readyNumber);
      free.remove(choice.worker());
      choice.worker().running = choice.task();
      choice.task().startAttempt(now);
      effects.add(
          new Effect.Start(
              choice.worker().info.id(),
              choice.task().id(),
              choice.task().attempts,
              choice.task().missingOutputs()));
    }
  }

  /** A task is kept from nodes where it failed as long as there is another node. */
  private boolean allowed(TaskState task, WorkerState worker) {
    return !task.failedNodes.contains(worker.info.node())
        || workers.values().stream()
            .allMatch(other -> task.failedNodes.contains(other.info.node()));
  }

  /**
   * How far the run is.
   *
   * @return the numbers of this moment
   */
  public Progress progress() {
    List<String> running = new ArrayList<>();
    for (WorkerState worker : workers.values()) {
      if (worker.running != null) {
        running.add(worker.running.id());
      }
    }
    return new Progress(
        tasks.size(),
        done,
        ready.size(),
        running,
        workers.size(),
        failedAttempts,
        inputBytesLocal,
        inputBytesRemote);
  }
}
