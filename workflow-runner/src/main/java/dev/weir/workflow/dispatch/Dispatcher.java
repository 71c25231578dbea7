package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import java.util.List;
import java.util.Map;

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
 * that it has ahead is taken back, if it has not begun, when another worker has nothing to do, or
 * would begin a shorter way to the end; it is given to another only when the worker has said that
 * it has not begun it. A task that is ready waits for a busy worker with its bytes if that should
 * take less time than moving them. When it has waited for as long as that, and another worker has
 * room, it is taken back, and waits no more.
 */
public final class Dispatcher {

  /** The status is written once a second. */
  private static final int GIVEN_UP_SHOWN = 20;

  private final Board board;
  private final Crew crew;
  private final Hands hands;
  private final Turn turn;
  private final Assigning assigning;
  private final NodeCaches caches;
  private final Tidying tidying;
  private final Helm helm;
  private final Tally tally;
  private final Referee referee;
  private final Finish finish;
  private final Losses losses;
  private final Outcomes outcomes;
  private final Wishes wishes;
  private final Replay replay;
  private final Returns returns;
  private final Casualties casualties;
  private final Staffing staffing;
  private boolean speculative;

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
        new Board(workflow, policy, size, habits),
        limits,
        new Crew(size),
        new Paces(habits),
        RunKind.WORKFLOW);
  }

  /** A dispatcher in parts. */
  Dispatcher(Board board, Limits limits, Crew crew, Paces paces, RunKind kind) {
    this.board = board;
    this.crew = crew;
    this.turn = new Turn();
    Scene scene = new Scene(board, crew, turn);
    this.hands = scene.hands();
    this.helm = new Helm(scene, kind.grows());
    this.tally = new Tally(board, crew, paces);
    this.referee = new Referee(scene, paces);
    this.caches = new NodeCaches(scene, new AheadDesk(scene, paces, tally), this::step);
    this.losses = new Losses(scene, helm);
    this.finish = new Finish(scene, helm, limits);
    this.assigning = new Assigning(scene, paces, tally, finish, kind);
    this.tidying = new Tidying(scene, this::step);
    this.outcomes = new Outcomes(scene, new Judge(board, limits), tally, finish, losses);
    this.wishes = new Wishes(scene, helm, finish);
    this.replay = new Replay(scene, new Replay.Parts(helm, wishes, losses, outcomes, tidying));
    this.returns = new Returns(scene, outcomes, this::step);
    this.casualties = new Casualties(scene, outcomes, this::step);
    this.staffing = new Staffing(scene, caches, tally);
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
   * Says how many workers are to come, so that the first ones leave others what these have the
   * bytes of. Without this nobody is known to come.
   *
   * @param workers how many there will be at one time
   */
  public void expect(int workers) {
    crew.expect(workers);
  }

  /** {@return what takes the events that are about nodes' caches} */
  public NodeCaches caches() {
    return caches;
  }

  /** {@return what has files deleted that nobody needs any more} */
  public Tidying tidying() {
    return tidying;
  }

  /**
   * Says where a workflow input is that is as long as declared. To be called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  public void locate(String fileId, Map<String, Long> bytesByHost) {
    locate(new StoredFile(fileId, board.file(fileId).sizeBytes, bytesByHost));
  }

  /**
   * Says where a workflow input is. To be called before {@link #start}.
   *
   * @param input with its blocks if tasks read regions of it
   */
  public void locate(StoredFile input) {
    board.locate(input);
  }

  /**
   * Takes over what an earlier dispatcher of the same run recorded, or what an earlier run has
   * done. To be called before {@link #start}, once for each record in order.
   *
   * @param record the record
   */
  public void replay(DispatchRecord record) {
    replay.replay(record);
    returns.replay(record);
  }

  /** {@return what takes in workers that an earlier dispatcher of the same run has given tasks} */
  public Returns returns() {
    return returns;
  }

  /** {@return what hears why workers are gone} */
  public Casualties casualties() {
    return casualties;
  }

  /** {@return what says how many workers there is use for} */
  public Staffing staffing() {
    return staffing;
  }

  /**
   * Starts the run.
   *
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step start(long time) {
    turn.begin(time);
    assigning.start();
    board.start(time);
    returns.begun();
    referee.answerAll();
    tidying.start();
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
    turn.begin(time);
    crew.join(worker, time);
    losses.trust(worker.node());
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
    turn.begin(time);
    WorkerState worker = crew.leave(workerId);
    if (worker == null) {
      return step();
    }
    if (crew.workersOn(worker.info.node()) == 0) {
      losses.suspect(worker.info.node());
    }
    caches.left(worker.info);
    casualties.lost(worker);
    for (TaskState task : worker.hand()) {
      task.heldBy(worker).ifPresent(held -> outcomes.lost(task, held, reason));
      tidying.ended(task);
    }
    return step();
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
    turn.begin(time);
    WorkerState worker = crew.get(workerId);
    TaskState task = board.taskOrNull(report.task());
    Twin held = worker == null || task == null ? null : task.heldBy(worker).orElse(null);
    if (task != null && held != null && held.attempt() == report.attempt()) {
      if (report.result() == TaskReport.Result.SUCCEEDED) {
        caches.read(task, held.worker().info.node());
      }
      outcomes.reported(task, held, report);
      tidying.ended(task);
    } else if (worker != null && task != null) {
      returns.reported(worker, task, report);
      tidying.ended(task);
    }
    return step();
  }

  /**
   * A worker was asked for an attempt and does not give it back: its command has begun, or has
   * ended. Whoever waits for it is given something else.
   *
   * @param workerId id of the worker
   * @param taskId id of the task
   * @param attempt number of the attempt
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step begun(String workerId, String taskId, int attempt, long time) {
    turn.begin(time);
    hands.begun(workerId, taskId, attempt);
    return step();
  }

  /**
   * A worker asks whether it may commit an attempt. The first of two attempts at a task may, and
   * the other is stopped. Before {@link #start} it gets no answer.
   *
   * @param workerId id of the worker
   * @param taskId id of the task
   * @param attempt number of the attempt
   * @param time milliseconds since the epoch
   * @return what follows; after {@link #start} an {@link Effect.Permit} among it
   */
  public Step mayCommit(String workerId, String taskId, int attempt, long time) {
    turn.begin(time);
    referee.asked(workerId, taskId, attempt);
    return step();
  }

  /**
   * Time has passed, in which nothing else may have happened.
   *
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step tick(long time) {
    turn.begin(time);
    boolean goesOn = assigning.goesOn();
    if (goesOn) {
      // Before anybody who could take it makes a second copy of what runs.
      assigning.recall();
    }
    if (goesOn && speculative) {
      referee.copies(time, tally.bytesPerSecond()).forEach(hands::copy);
    }
    if (goesOn) {
      caches.tick();
      tidying.tick();
    }
    return step();
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
    turn.begin(time);
    wishes.steer(id, wish);
    return step();
  }

  /**
   * Says what an {@link Effect.Check} has found.
   *
   * @param lost ids of results that are not in HDFS any more
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step checked(List<String> lost, long time) {
    turn.begin(time);
    List<FileState> found = lost.stream().map(board::file).filter(FileState::available).toList();
    // A run that fails, or goes without some tasks, leaves the next one what is there.
    if (found.isEmpty() && !finish.isOver() && board.dropped() == 0) {
      tidying.sweep();
    }
    finish.checked(found);
    losses.lose(found);
    return step();
  }

  /** Assigns what can be assigned and hands over what this event led to. */
  private Step step() {
    assigning.round(turn.now());
    return turn.end();
  }

  /** A graph that grows has one more task. */
  Step add(Addition addition, long time) {
    turn.begin(time);
    board.add(addition, time);
    turn.record(new DispatchRecord.TaskAdded(addition, time));
    return step();
  }

  /** Somebody does not want a task any more. */
  Step cancel(String taskId, long time) {
    turn.begin(time);
    helm.cancel(taskId);
    return step();
  }

  /** {@return how far the run is} */
  public Progress progress() {
    return tally.progress();
  }

  /**
   * How far the run is, task by task; takes as long as there are tasks.
   *
   * @return the state of this moment
   */
  public Progress.Details details() {
    return tally.details(helm.givenUp().atMost(GIVEN_UP_SHOWN));
  }
}
