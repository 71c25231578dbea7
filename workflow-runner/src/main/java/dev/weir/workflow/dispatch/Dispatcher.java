package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  private final Board board;
  private final Limits limits;
  private final Chooser chooser;
  private final Map<String, WorkerState> workers = new LinkedHashMap<>();

  /** Nodes that had a worker and have none now: what only they held is suspect. */
  private final Set<String> lostNodes = new HashSet<>();

  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
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
    this.board = new Board(workflow);
    this.limits = limits;
    this.chooser = Chooser.of(policy);
  }

  /**
   * Says where a workflow input is. To be called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  public void locate(String fileId, Map<String, Long> bytesByHost) {
    board.file(fileId).stored(bytesByHost);
  }

  /**
   * Takes over what an earlier dispatcher of the same run recorded. To be called before {@link
   * #start}, once for each record in order.
   *
   * @param record the record
   */
  public void replay(DispatchRecord record) {
    if (record instanceof DispatchRecord.FilesLost lost) {
      lost.files().forEach(id -> board.invalidate(board.file(id)));
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      TaskReport report = ended.report();
      TaskState task = board.task(report.task());
      task.attempts = Math.max(task.attempts, report.attempt());
      lostNodes.add(ended.worker().node());
      count(task, report);
      if (report.result() == TaskReport.Result.SUCCEEDED) {
        board.markDone(task, report.outputs());
      } else if (report.result() == TaskReport.Result.WORKER_LOST) {
        task.losses++;
      } else if (isFailure(task, report)) {
        task.failedOn(ended.worker().node());
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
    board.start(now);
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
      board.retry(task, now);
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
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      board.markDone(task, report.outputs());
      board.followUp(task, now);
    } else if (isFailure(task, report)) {
      task.failedOn(worker.info.node());
      if (task.failures >= limits.attempts()) {
        fail(task, worker.info, report);
      }
    } else {
      inputLost(task, worker.info, report, now);
    }
    board.retry(task, now);
    return step(now);
  }

  private void record(TaskState task, WorkerInfo worker, TaskReport report, long now) {
    records.add(
        new DispatchRecord.AttemptEnded(
            worker, task.readyMillis, task.dispatchedMillis, now, report));
    count(task, report);
  }

  private void count(TaskState task, TaskReport report) {
    if (report.result() == TaskReport.Result.WORKER_LOST || isFailure(task, report)) {
      failedAttempts++;
    }
    inputBytesLocal += report.usage().inputBytesLocal();
    inputBytesRemote += report.usage().inputBytesRemote();
  }

  /** A lost input is the task's failure only when nobody can make it again, or it is not named. */
  private boolean isFailure(TaskState task, TaskReport report) {
    return switch (report.result()) {
      case SUCCEEDED -> false;
      case FAILED, WORKER_LOST -> true;
      case INPUT_LOST ->
          report.lostInputs().isEmpty()
              || !report.lostInputs().stream().allMatch(id -> board.canBeMadeAgain(task, id));
    };
  }

  private void inputLost(TaskState task, WorkerInfo worker, TaskReport report, long now) {
    List<FileState> found =
        report.lostInputs().stream()
            .map(board::file)
            .filter(file -> file.available() && task.wasGivenCurrent(file))
            .toList();
    if (found.stream().anyMatch(file -> file.losses() + 1 >= limits.losses())) {
      fail(task, worker, report);
    }
    Set<String> dead = new HashSet<>();
    found.forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(lostNodes);
    Set<FileState> lost = board.lose(found, dead);
    if (!lost.isEmpty()) {
      records.add(new DispatchRecord.FilesLost(lost.stream().map(file -> file.id).toList()));
    }
    board.makeAgain(lost, now);
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
    if (!finished && board.done() == board.size()) {
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
    while (!free.isEmpty() && !board.ready().isEmpty()) {
      Chooser.Choice choice = chooser.next(board.ready(), free, this::allowed).orElse(null);
      if (choice == null) {
        return;
      }
      TaskState task = choice.task();
      free.remove(choice.worker());
      choice.worker().running = task;
      board.begin(task, now);
      effects.add(
          new Effect.Start(
              choice.worker().info.id(), task.id(), task.attempts, task.missingOutputs()));
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
        board.size(),
        board.done(),
        board.ready().size(),
        running,
        workers.size(),
        failedAttempts,
        inputBytesLocal,
        inputBytesRemote);
  }
}
