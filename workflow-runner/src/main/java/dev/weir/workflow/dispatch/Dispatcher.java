package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.protocol.Needs;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hands the tasks of a workflow to workers as they come free, until all are done or one has failed
 * for good. A pure state machine: each event returns the records that a journal needs and the
 * effects to be carried out; it reads no clock and starts no thread. Not thread-safe: one thread
 * tells it all events.
 *
 * <p>What holds at any time: at most one live worker has a task, or two where a straggler has a
 * second copy, of which one may commit; it is given only when HDFS holds all its inputs as far as
 * anybody knows; a task is done only while each of its outputs that is still needed is held. When
 * an input turns out to be lost its producer is taken for not done, which goes as deep as the
 * losses do. The run has succeeded when the results were seen to be there after the last task.
 *
 * <p>A worker has more tasks in hand than it can run, so that inputs come while others run. A task
 * that it has ahead is taken back, if it has not begun, when another worker has nothing to do; it
 * is given to another only when the worker has said that it has not begun it.
 */
public final class Dispatcher {

  /** In a graph that grows a task that has been ready for so long waits for no better place. */
  private static final long OVERDUE_MILLIS = 30_000;

  private final Board board;
  private final Limits limits;
  private final Crew crew;
  private final boolean grows;
  private final Dealer dealer;
  private final Recaller recaller;
  private final Helm helm;
  private final Tally tally;
  private final Judge judge;
  private final Paces paces;
  private final Referee referee;
  private boolean speculative;

  /** What workers have ahead and nobody has asked back. */
  private final TaskQueue ahead;

  /** Nodes that had a worker and have none now: what only they held is suspect. */
  private final Set<String> lostNodes = new HashSet<>();

  private final ReadRate readRate = new ReadRate();
  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private long now;
  private boolean checking;
  private boolean finished;

  /**
   * A dispatcher for workers that run one task at a time and are given none ahead.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   */
  public Dispatcher(Workflow workflow, Policy policy, Limits limits) {
    this(workflow, policy, limits, WorkerSize.ONE_TASK);
  }

  /**
   * A dispatcher that has not started; the workflow's inputs are taken to be in HDFS.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   * @param size what each worker has room for
   * @throws IllegalArgumentException when a task is larger than a worker
   */
  public Dispatcher(Workflow workflow, Policy policy, Limits limits, WorkerSize size) {
    this(workflow, policy, limits, size, Habits.NONE);
  }

  /**
   * A dispatcher that has learned from earlier runs.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   * @param size what each worker has room for
   * @param habits what tasks take of which nothing is declared
   * @throws IllegalArgumentException when a task declares more than a worker has
   */
  public Dispatcher(
      Workflow workflow, Policy policy, Limits limits, WorkerSize size, Habits habits) {
    this(
        new Board(requireFitting(workflow, size), policy, size, habits),
        limits,
        new Crew(size),
        new Paces(habits),
        false);
  }

  private static Workflow requireFitting(Workflow workflow, WorkerSize size) {
    for (Task task : workflow.tasks()) {
      Needs needs = Needs.of(task.needs());
      if (!size.fits(needs)) {
        throw new IllegalArgumentException(
            "Task '" + task.id() + "' needs " + needs + ", which is more than " + size);
      }
    }
    return workflow;
  }

  /**
   * A dispatcher in parts.
   *
   * @param grows whether tasks are added: such a run has no end of its own
   */
  Dispatcher(Board board, Limits limits, Crew crew, Paces paces, boolean grows) {
    this.board = board;
    this.paces = paces;
    this.limits = limits;
    this.crew = crew;
    this.grows = grows;
    this.ahead = new TaskQueue(board.policy());
    this.dealer = new Dealer(board, crew, this::give);
    this.recaller = new Recaller(ahead, crew, this::recall);
    this.helm = new Helm(board, ahead, effects::add, this::dropped);
    this.tally = new Tally(board, crew);
    this.judge = new Judge(board, limits);
    this.referee = new Referee(board, crew, paces);
  }

  /**
   * Lets stragglers have a second copy when {@link #tick} finds workers that have nothing to do.
   * Without this none has.
   *
   * @param whether they may
   */
  public void speculate(boolean whether) {
    speculative = whether;
  }

  /**
   * Says where a workflow input is. To be called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  public void locate(String fileId, Map<String, Long> bytesByHost) {
    locate(fileId, bytesByHost, List.of());
  }

  /**
   * Says where a workflow input is of which tasks read regions. To be called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param extents its blocks
   */
  public void locate(String fileId, Map<String, Long> bytesByHost, List<Extent> extents) {
    board.locate(fileId, bytesByHost, extents);
  }

  /**
   * Takes over what an earlier dispatcher of the same run recorded, or what an earlier run has
   * done. To be called before {@link #start}, once for each record in order.
   *
   * @param record the record
   */
  public void replay(DispatchRecord record) {
    if (record instanceof DispatchRecord.FilesLost lost) {
      List<FileState> files = lost.files().stream().flatMap(board::known).toList();
      files.forEach(board::invalidate);
      helm.dropOrphans(files);
    } else if (record instanceof DispatchRecord.Steered steered) {
      now = steered.millis();
      follow(steered.id(), steered.wish());
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      board.takeOver(board.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      board.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      TaskReport report = ended.report();
      TaskState task = board.task(report.task());
      now = ended.endedMillis();
      task.attempts = Math.max(task.attempts, report.attempt());
      lostNodes.add(ended.worker().node());
      count(task, ended.worker(), report);
      judge.count(task, ended.worker().node(), report);
      if (report.result() == TaskReport.Result.SUCCEEDED) {
        board.markDone(task, report.outputs(), ended.endedMillis());
      }
      if (limits.keepGoing() && judge.isHopeless(task, report)) {
        fail(task, ended.worker(), report);
      }
    }
    // What came of it then was recorded then.
    records.clear();
  }

  /**
   * Starts the run.
   *
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step start(long time) {
    now = time;
    board.start(now);
    return step();
  }

  /**
   * A worker is there.
   *
   * @param worker the worker, not known so far
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step workerJoined(WorkerInfo worker, long time) {
    now = time;
    crew.join(worker, now);
    lostNodes.remove(worker.node());
    return step();
  }

  /**
   * A worker is gone; what it had in hand is lost.
   *
   * @param workerId its id; an unknown one is ignored
   * @param reason why it is taken for gone
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step workerLost(String workerId, String reason, long time) {
    now = time;
    WorkerState worker = crew.leave(workerId);
    if (worker == null) {
      return step();
    }
    if (crew.workersOn(worker.info.node()) == 0) {
      lostNodes.add(worker.info.node());
    }
    for (TaskState task : worker.hand()) {
      task.heldBy(worker).ifPresent(held -> lost(task, held, reason));
    }
    return step();
  }

  private void lost(TaskState task, Twin held, String reason) {
    // What it had ahead counts, too: it may have begun without anybody knowing.
    List<String> outputs = task.missingOutputs();
    if (!outputs.isEmpty()) {
      effects.add(new Effect.Discard(task.id(), held.attempt(), outputs));
    }
    TaskReport report = TaskReport.workerLost(task.id(), held.attempt(), reason);
    WorkerInfo worker = held.worker().info;
    takeFrom(held.worker(), task);
    record(task, held, report);
    judge.count(task, worker.node(), report);
    if (judge.isHopeless(task, report)) {
      fail(task, worker, report);
    }
    retry(task);
  }

  /** Unless another attempt goes on. */
  private void retry(TaskState task) {
    if (task.worker == null) {
      board.retry(task, now);
    }
  }

  /**
   * A worker reports the end of an attempt. A report of an attempt that the worker does not have in
   * hand is ignored.
   *
   * @param workerId id of the worker
   * @param report what it says
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step reported(String workerId, TaskReport report, long time) {
    now = time;
    WorkerState worker = crew.get(workerId);
    TaskState task = board.taskOrNull(report.task());
    Twin held = worker == null || task == null ? null : task.heldBy(worker).orElse(null);
    if (worker == null || task == null || held == null || held.attempt() != report.attempt()) {
      return step();
    }
    takeFrom(worker, task);
    if (report.result() != TaskReport.Result.RECALLED) {
      ended(task, held, report);
    }
    retry(task);
    return step();
  }

  /**
   * A worker asks whether it may commit an attempt. The first of two attempts at a task may, and
   * the other is stopped.
   *
   * @param workerId id of the worker
   * @param taskId id of the task
   * @param attempt number of the attempt
   * @param time milliseconds since the epoch
   * @return what follows; an {@link Effect.Permit} among it
   */
  public Step mayCommit(String workerId, String taskId, int attempt, long time) {
    now = time;
    WorkerState worker = crew.get(workerId);
    TaskState task = board.taskOrNull(taskId);
    boolean granted =
        worker != null && task != null && referee.grant(task, worker, attempt, effects::add);
    effects.add(new Effect.Permit(workerId, taskId, attempt, granted));
    return step();
  }

  /**
   * Time has passed, in which nothing else may have happened.
   *
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step tick(long time) {
    now = time;
    if (!finished && speculative && ahead.isEmpty()) {
      referee.copies(now, readRate.bytesPerSecond()).forEach(this::copy);
    }
    return step();
  }

  private void copy(Referee.Copy copy) {
    TaskState task = copy.task();
    WorkerState worker = copy.worker();
    task.startTwin(worker, now);
    worker.takeCopy(task);
    crew.changed(worker);
    effects.add(
        new Effect.Start(
            worker.info.id(), task.id(), task.attempts, task.missingOutputs(), task.needs, true));
  }

  private void ended(TaskState task, Twin held, TaskReport report) {
    WorkerState worker = held.worker();
    record(task, held, report);
    judge.count(task, worker.info.node(), report);
    if (report.result() == TaskReport.Result.SUCCEEDED) {
      board.markDone(task, report.outputs(), now);
      referee.stopOthers(task, effects::add);
    } else if (judge.isHopeless(task, report)) {
      fail(task, worker.info, report);
    } else if (report.result() == TaskReport.Result.NODE_UNFIT) {
      crew.rest(worker.info.node(), now);
    } else if (judge.isInputLoss(task, report)) {
      inputLost(task, worker.info, report);
    }
  }

  /**
   * Somebody steers the run. A wish that was followed before is answered and not followed again.
   *
   * @param id of the wish
   * @param wish what is wanted
   * @param time milliseconds since the epoch
   * @return what follows; an {@link Effect.Answer} among it
   */
  public Step steer(String id, Steering wish, long time) {
    now = time;
    SteeringAnswer answer;
    if (helm.knows(id)) {
      answer = new SteeringAnswer(0, "followed before");
    } else if (finished) {
      answer = new SteeringAnswer(0, "too late: the run is ending");
    } else {
      answer = follow(id, wish);
      // Also when nothing was done: followed after a restart it might undo what came later.
      records.add(new DispatchRecord.Steered(id, wish, now));
    }
    effects.add(new Effect.Answer(id, answer));
    return step();
  }

  private SteeringAnswer follow(String id, Steering wish) {
    if (wish.action() == Steering.Action.CANCEL && wish.tasks().isEmpty()) {
      fail(RunFailure.cancelledRun());
      return new SteeringAnswer(board.size() - board.done(), "the run ends");
    }
    int tasks = helm.follow(id, wish, now);
    String text =
        tasks > 0 || wish.tasks().isEmpty()
            ? Helm.answer(wish.action(), tasks)
            : "nothing to do: no task that this could be about is named '" + wish.tasks() + "'";
    return new SteeringAnswer(tasks, text);
  }

  /**
   * Says what an {@link Effect.Check} has found.
   *
   * @param lost ids of results that are not in HDFS any more
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step checked(List<String> lost, long time) {
    now = time;
    checking = false;
    List<FileState> found = lost.stream().map(board::file).filter(FileState::available).toList();
    if (found.isEmpty() && board.settled() && !finished) {
      finished = true;
      effects.add(
          board.dropped() == 0 ? new Effect.Succeeded() : new Effect.Failed(helm.failure()));
    }
    for (FileState file : found) {
      if (file.losses() + 1 >= limits.losses()) {
        fail(
            RunFailure.ofRun(
                "the result " + file.id + " was lost " + (file.losses() + 1) + " times",
                "It was made, and HDFS had lost it each time when the run was about to end."));
      }
    }
    lose(found);
    return step();
  }

  private void record(TaskState task, Twin held, TaskReport report) {
    WorkerInfo worker = held.worker().info;
    records.add(
        new DispatchRecord.AttemptEnded(
            worker, task.readyMillis, held.dispatchedMillis(), now, report));
    count(task, worker, report);
  }

  private void count(TaskState task, WorkerInfo worker, TaskReport report) {
    tally.count(worker, report, judge.isUnsuccessful(task, report));
    readRate.add(report.usage());
    paces.add(task.task.type(), report);
  }

  private void inputLost(TaskState task, WorkerInfo worker, TaskReport report) {
    List<FileState> found =
        report.lostInputs().stream()
            .flatMap(task::input)
            .filter(file -> file.available() && task.wasGivenCurrent(file))
            .toList();
    if (found.stream().anyMatch(file -> file.losses() + 1 >= limits.losses())) {
      fail(task, worker, report);
    }
    lose(found);
  }

  private void lose(Collection<FileState> found) {
    Set<String> dead = new HashSet<>();
    found.forEach(file -> dead.addAll(file.hosts()));
    dead.retainAll(lostNodes);
    Set<FileState> lost = board.lose(found, dead);
    if (!lost.isEmpty()) {
      records.add(new DispatchRecord.FilesLost(lost.stream().map(file -> file.id).toList()));
    }
    helm.dropOrphans(lost);
    board.makeAgain(lost, now);
  }

  private void fail(TaskState task, WorkerInfo worker, TaskReport report) {
    if (task.settled()) {
      return;
    }
    RunFailure failure =
        new RunFailure(
            task.id(),
            task.failures + task.losses,
            task.task.command(),
            report.exitCode(),
            worker.node(),
            report.message(),
            report.stderrTail());
    if (limits.keepGoing()) {
      helm.giveUp(task, failure);
    } else {
      fail(failure);
    }
  }

  private void fail(RunFailure failure) {
    if (!finished) {
      finished = true;
      effects.add(new Effect.Failed(failure));
    }
  }

  /** Assigns what can be assigned and hands over what this event led to. */
  private Step step() {
    if (!finished && !grows && board.settled() && !checking) {
      checking = true;
      effects.add(new Effect.Check(board.results()));
    }
    if (!finished) {
      crew.wake(now);
      if (grows) {
        dealer.dealOverdue(now - OVERDUE_MILLIS);
      }
      dealer.deal();
      if (board.ready().isEmpty()) {
        recaller.recall();
      }
    }
    Step step = new Step(records, effects);
    records.clear();
    effects.clear();
    return step;
  }

  /** A graph that grows has one more task. */
  Step add(Addition addition, long time) {
    now = time;
    board.add(addition, now);
    records.add(new DispatchRecord.TaskAdded(addition, now));
    return step();
  }

  /** Somebody does not want a task any more. */
  Step cancel(String taskId, long time) {
    now = time;
    cancel(taskId);
    return step();
  }

  private void cancel(String taskId) {
    TaskState task = board.taskOrNull(taskId);
    if (task != null && !task.settled()) {
      helm.cancel(List.of(task));
    }
  }

  private void dropped(TaskState task, TaskState first) {
    if (grows) {
      boolean cancelled = first.root && !first.failed;
      records.add(new DispatchRecord.GivenUp(task.id(), first.id(), cancelled, now));
    }
  }

  private void give(TaskState task, WorkerState worker) {
    board.begin(task, now);
    worker.take(task);
    task.begunMillis = now;
    crew.changed(worker);
    if (task.ahead) {
      ahead.add(task);
    }
    effects.add(
        new Effect.Start(
            worker.info.id(), task.id(), task.attempt, task.missingOutputs(), task.needs, false));
  }

  private void recall(TaskState task, WorkerState taker) {
    ahead.remove(task);
    taker.awaited = task;
    task.awaitedBy = taker;
    WorkerState holder = task.worker;
    if (holder != null) {
      effects.add(new Effect.Recall(holder.info.id(), task.id(), task.attempt));
    }
  }

  private void takeFrom(WorkerState worker, TaskState task) {
    if (task.ahead && task.worker == worker) {
      ahead.remove(task);
    }
    task.leftBy(worker);
    for (TaskState begun : worker.drop(task)) {
      ahead.remove(begun);
      begun.awaitedNoLonger();
      begun.begunMillis = now;
    }
    worker.freeSince = now;
    crew.changed(worker);
  }

  /**
   * What a further worker would have to do.
   *
   * @param most how many inputs there may be
   * @return what is known at this moment
   */
  public Waiting waiting(int most) {
    Set<String> inputs = new LinkedHashSet<>();
    board.ready().inputs(most, inputs);
    // What others have ahead is taken back for a worker that has nothing to do.
    ahead.inputs(most, inputs);
    return new Waiting(List.copyOf(inputs), readRate.bytesPerSecond());
  }

  /**
   * How many workers could have something to do, were all tasks ready that are to be done.
   *
   * @return the number, at least 0
   */
  public int wantedWorkers() {
    return board.wantedWorkers();
  }

  /**
   * Takes workers that have nothing to do for gone, those first that have been so for longest.
   *
   * @param atMost how many
   * @param since only such as have had nothing to do since then, in milliseconds since the epoch
   * @return their ids
   */
  public List<String> dismiss(int atMost, long since) {
    List<String> dismissed = new ArrayList<>();
    for (WorkerState worker : crew.free(since)) {
      if (dismissed.size() < atMost) {
        crew.leave(worker.info.id());
        dismissed.add(worker.info.id());
      }
    }
    return dismissed;
  }

  /**
   * How far the run is.
   *
   * @return the numbers of this moment
   */
  public Progress progress() {
    return tally.progress();
  }

  /**
   * How far the run is, task by task; takes as long as there are tasks.
   *
   * @return the state of this moment
   */
  public Progress.Details details() {
    return tally.details();
  }
}
