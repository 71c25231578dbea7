package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands the tasks of a session's graphs to workers as they come free: workflows, each until all its
 * tasks are done or one has failed permanently, and single jobs, of which the session itself has no
 * end. A pure state machine: each event returns the records that a journal needs and the effects to
 * be carried out; it reads no clock and starts no thread. Not thread-safe: one thread tells it all
 * events.
 *
 * <p>Tasks and files of a graph go by {@linkplain ScopedId scoped ids} in events, effects and
 * records. Single jobs are the graph with the empty id, whose ids have no prefix. A job that fails
 * permanently is given up, and with it those that wait for what it would have made; the others go
 * on. Graphs share the workers as {@link AssignmentRound} says.
 *
 * <p>What holds at any time: at most one live worker has a task, or two where a straggler has a
 * second copy, of which one may commit; it is given only when HDFS holds all its inputs as far as
 * anybody knows; a task is done only while each of its outputs that is still needed is held. When
 * an input turns out to be lost its producer is taken for not done, which goes as deep as the
 * losses do. A graph has succeeded when its results were seen to be there after the last task.
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

  private final WorkflowState.Shared shared;
  private final SessionGraphs session = new SessionGraphs();
  private final Map<WorkflowState, GraphRun> runs = new LinkedHashMap<>();
  private final StepBuilder turn = new StepBuilder();
  private final ReadRate readRate = new ReadRate();
  private final NodeBlacklist blame = new NodeBlacklist();
  private final WorkerSet crew;
  private final Assignments hands;
  private final AssignmentRound assigning;
  private final NodeCaches caches;
  private final SpeculationPolicy referee;
  private final ReturningWorkers returns;
  private final MemoryKillTracker casualties;
  private final WorkerDemand staffing;
  private boolean started;

  /**
   * A dispatcher of a session without graphs and jobs.
   *
   * @param policy how to choose
   * @param jobLimits when to stop trying a job
   * @param size what each worker has room for
   */
  public Dispatcher(Policy policy, Limits jobLimits, WorkerSize size) {
    this(policy, jobLimits, size, task -> Optional.empty());
  }

  /**
   * A dispatcher of a session without graphs and jobs.
   *
   * @param policy how to choose
   * @param jobLimits when to stop trying a job
   * @param size what each worker has room for
   * @param habits what jobs take of which nothing is declared; asked once for each, as it comes
   */
  public Dispatcher(
      Policy policy,
      Limits jobLimits,
      WorkerSize size,
      Function<Task, Optional<TaskProfiles.Habit>> habits) {
    this(policy, size);
    put(
        WorkflowState.ofJobs(shared, habits),
        new Limits(jobLimits.attempts(), jobLimits.losses(), true));
  }

  /**
   * A dispatcher of one workflow whose ids have no prefix, and which takes no jobs.
   *
   * @param policy how to choose
   * @param size what each worker has room for
   * @param graph the workflow, with the empty id
   * @throws IllegalArgumentException when a task declares more than a worker has
   */
  public Dispatcher(Policy policy, WorkerSize size, Graph graph) {
    this(policy, size, graph, WorkflowState.Kind.WORKFLOW);
  }

  /** The same with a graph of another kind. */
  Dispatcher(Policy policy, WorkerSize size, Graph graph, WorkflowState.Kind kind) {
    this(policy, size);
    put(graph, kind);
  }

  /**
   * The same for workers that run one task at a time and are given none ahead.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   */
  public Dispatcher(Workflow workflow, Policy policy, Limits limits) {
    this(workflow, policy, limits, WorkerSize.ONE_TASK);
  }

  /**
   * The same for workers of a size.
   *
   * @param workflow what to run
   * @param policy how to choose
   * @param limits when to stop trying
   * @param size what each worker has room for
   * @throws IllegalArgumentException when a task is larger than a worker
   */
  public Dispatcher(Workflow workflow, Policy policy, Limits limits, WorkerSize size) {
    this(policy, size, Graph.of("", workflow, limits));
  }

  /** The same that has learned from earlier runs. */
  Dispatcher(
      Workflow workflow, Policy policy, Limits limits, WorkerSize size, TaskProfiles habits) {
    this(
        policy,
        size,
        new Graph("", workflow, limits, 0, false, false, habits, Set.of(), Set.of(), List.of()));
  }

  private Dispatcher(Policy policy, WorkerSize size) {
    CacheIndex book = new CacheIndex(CacheIndex.MOST);
    this.shared = new WorkflowState.Shared(policy, size, book);
    this.crew = new WorkerSet(size);
    this.hands = new Assignments(crew, turn);
    CopyAheadTracker ahead = new CopyAheadTracker(session, book, crew, turn, readRate);
    hands.watchedBy(ahead);
    this.caches = new NodeCaches(session, book, crew, turn, ahead, this::step);
    this.referee = new SpeculationPolicy(session, book, crew, hands, turn);
    this.assigning = new AssignmentRound(session, crew, runs);
    this.returns =
        new ReturningWorkers(session, crew, hands, turn, task -> run(task).outcomes, this::step);
    this.casualties = new MemoryKillTracker(turn, task -> run(task).outcomes, this::step);
    this.staffing = new WorkerDemand(session, crew, caches, readRate);
  }

  private GraphRun put(Graph graph, WorkflowState.Kind kind) {
    GraphRun run = put(new WorkflowState(graph, kind, shared), graph.limits());
    run.tidying.allow(graph.temporaries());
    run.tidying.want(graph.wanted());
    return run;
  }

  private GraphRun put(WorkflowState board, Limits limits) {
    GraphRun run =
        new GraphRun(new SchedulerContext(board, crew, hands, turn, readRate), limits, blame);
    session.add(board);
    runs.put(board, run);
    caches.graphsChanged();
    return run;
  }

  private GraphRun run(TaskState task) {
    return Optional.ofNullable(runs.get(task.graph)).orElseThrow();
  }

  /** The parts for a graph; null when it is not known. */
  private @Nullable GraphRun find(String graph) {
    WorkflowState board = session.get(graph);
    return board == null ? null : runs.get(board);
  }

  private GraphRun get(String graph) {
    GraphRun run = find(graph);
    if (run == null) {
      throw new IllegalArgumentException("No graph '" + graph + "' in this session");
    }
    return run;
  }

  private GraphRun jobs() {
    GraphRun run = get("");
    if (!run.board.grows) {
      throw new IllegalStateException("This dispatcher takes no jobs");
    }
    return run;
  }

  /** What deletes intermediate files of the graph without a prefix. */
  IntermediateFileCleaner tidying() {
    return get("").tidying;
  }

  /** Lets stragglers of the graph without a prefix have a second copy, or not any more. */
  void speculate(boolean whether) {
    get("").board.speculates = whether;
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

  /**
   * Says where a workflow input of the graph without a prefix is that is as long as declared. To be
   * called before {@link #start}.
   *
   * @param fileId id of the file
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  void locate(String fileId, Map<String, Long> bytesByHost) {
    locate(new StoredFile(fileId, get("").board.file(fileId).sizeBytes, bytesByHost));
  }

  /**
   * Says where a workflow input of the graph without a prefix is. To be called before {@link
   * #start}.
   *
   * @param input with its blocks if tasks read regions of it
   */
  public void locate(StoredFile input) {
    get("").board.locate(input);
  }

  /**
   * Says why a graph cannot be added as things are.
   *
   * @param graph the graph
   * @return the reason, or nothing when it can be added
   */
  public Optional<String> refusal(Graph graph) {
    if (graph.id().isEmpty() || session.get(graph.id()) != null) {
      return Optional.of("there is a graph '" + graph.id() + "' already");
    }
    return graph.workflow().tasks().stream()
        .flatMap(task -> TaskGraph.refusal(task, shared.size()).stream())
        .findFirst();
  }

  /**
   * Adds a graph, and starts it when the session has started.
   *
   * @param graph the graph
   * @param known what is known of it alone from earlier runs, with the ids of the workflow: {@link
   *     DispatchRecord.TakenOver} and {@link DispatchRecord.FilesFound}
   * @param time milliseconds since the epoch
   * @return what follows; {@link DispatchRecord.GraphAdded} is its first record
   * @throws IllegalArgumentException when there is a {@link #refusal(Graph)}
   */
  public Step addGraph(Graph graph, List<DispatchRecord> known, long time) {
    requireNone(refusal(graph), "graph", graph.id());
    turn.begin(time);
    GraphRun run = put(graph, WorkflowState.Kind.WORKFLOW);
    turn.record(new DispatchRecord.GraphAdded(graph.id(), graph.priority(), time));
    for (DispatchRecord record : known) {
      DispatchRecord scoped = Replay.scoped(record, graph.id());
      turn.record(scoped);
      replay(scoped, run);
    }
    if (started) {
      run.board.start(time);
      run.tidying.start();
    }
    return step();
  }

  private static void requireNone(Optional<String> refusal, String what, String id) {
    refusal.ifPresent(
        reason -> {
          throw new IllegalArgumentException("Cannot add " + what + " '" + id + "': " + reason);
        });
  }

  /**
   * Takes a graph over that an earlier dispatcher of the session has recorded. What came of it is
   * replayed after this. To be called before {@link #start}.
   *
   * @param added the record
   * @param graph the graph of that id; the record says its priority
   * @throws IllegalArgumentException when there is a {@link #refusal(Graph)}, or the ids differ
   */
  public void replayGraph(DispatchRecord.GraphAdded added, Graph graph) {
    requireNone(refusal(graph), "graph", graph.id());
    if (!added.graph().equals(graph.id())) {
      throw new IllegalArgumentException(graph.id() + " is not the graph of " + added);
    }
    put(graph, WorkflowState.Kind.WORKFLOW).board.priority = added.priority();
  }

  /**
   * Whether a record is about a graph and tasks that are known, so that it can be replayed.
   *
   * @param record any but {@link DispatchRecord.GraphAdded}
   * @return false also when it is about a job that is added a second time
   */
  public boolean knows(DispatchRecord record) {
    GraphRun run = recorded(record);
    return run != null && Replay.fits(record, run.board);
  }

  /** Ids without a graph may have a colon of their own. */
  private @Nullable GraphRun recorded(DispatchRecord record) {
    GraphRun run = find(record.graph());
    return run == null ? find("") : run;
  }

  /**
   * Takes over what an earlier dispatcher of the same session recorded, or what an earlier run has
   * done. To be called before {@link #start}, once for each record in order.
   *
   * @param record any but {@link DispatchRecord.GraphAdded}
   * @throws IllegalArgumentException when it is about a task or a graph that is not known
   */
  public void replay(DispatchRecord record) {
    GraphRun run = recorded(record);
    if (run == null) {
      throw new IllegalArgumentException("Of a graph that is not known: " + record);
    }
    replay(record, run);
    returns.replay(record);
  }

  private void replay(DispatchRecord record, GraphRun run) {
    turn.replaying(true);
    try {
      Replay.replay(record, run);
    } finally {
      turn.replaying(false);
    }
  }

  /** {@return what takes in workers that an earlier dispatcher of the same session gave tasks} */
  public ReturningWorkers returns() {
    return returns;
  }

  /** {@return what hears why workers are gone} */
  public MemoryKillTracker casualties() {
    return casualties;
  }

  /** {@return what says how many workers there is use for} */
  public WorkerDemand staffing() {
    return staffing;
  }

  /**
   * Starts the session.
   *
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step start(long time) {
    turn.begin(time);
    started = true;
    runs.values().forEach(run -> run.finish.tell());
    runs.values().forEach(run -> run.board.start(time));
    returns.begun();
    referee.answerAll();
    for (GraphRun run : runs.values()) {
      if (!run.board.over) {
        run.tidying.start();
      }
    }
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
    crew.trust(worker.node());
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
      crew.suspect(worker.info.node());
    }
    caches.left(worker.info);
    casualties.lost(worker);
    for (TaskState task : worker.hand()) {
      GraphRun run = run(task);
      task.heldBy(worker).ifPresent(held -> run.outcomes.lost(task, held, reason));
      run.tidying.ended(task);
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
    TaskState task = session.task(report.task());
    if (worker == null || task == null) {
      return step();
    }
    GraphRun run = run(task);
    AttemptRef held = task.heldBy(worker).orElse(null);
    if (held != null && held.attempt() == report.attempt()) {
      if (report.result() == TaskReport.Result.SUCCEEDED) {
        caches.read(task, held.worker().info.node());
      }
      run.outcomes.reported(task, held, report);
    } else {
      returns.reported(worker, task, report);
    }
    run.tidying.ended(task);
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
    TaskState task = session.task(taskId);
    if (task != null) {
      hands.begun(workerId, task, attempt);
    }
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
    if (started && !session.inOrder().isEmpty()) {
      // Before anybody who could take it makes a second copy of what runs.
      assigning.recall();
      referee.copies(time, readRate.bytesPerSecond()).forEach(hands::copy);
      caches.tick();
      for (GraphRun run : runs.values()) {
        if (!run.board.over) {
          run.tidying.tick();
        }
      }
    }
    return step();
  }

  /**
   * Somebody steers a graph. A wish that was followed before is answered and not followed again.
   *
   * @param graph id of the graph
   * @param id of the wish, unique for the graph
   * @param wish what is wanted
   * @param time milliseconds since the epoch
   * @return what follows; an {@link Effect.Answer} among it
   */
  public Step steer(String graph, String id, Steering wish, long time) {
    turn.begin(time);
    GraphRun run = find(graph);
    if (run == null) {
      turn.effect(new Effect.Answer(graph, id, SteeringRequests.TOO_LATE));
    } else {
      run.wishes.steer(id, wish);
    }
    return step();
  }

  /**
   * Says what an {@link Effect.Check} has found.
   *
   * @param graph id of the graph; an unknown one is ignored
   * @param lost ids of results that are not in HDFS any more
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step checked(String graph, List<String> lost, long time) {
    turn.begin(time);
    GraphRun run = find(graph);
    if (run != null) {
      run.checked(lost.stream().map(run.board::file).filter(FileState::available).toList());
    }
    return step();
  }

  /**
   * An {@link Effect.LetGo} is over, whatever came of it. Files that were not deleted are not tried
   * again; should one be needed after all it is made anew.
   *
   * @param files ids of files
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step deleted(List<String> files, long time) {
    turn.begin(time);
    for (String id : files) {
      WorkflowState graph = session.of(id);
      if (graph != null) {
        graph.known(id).filter(file -> file.going).forEach(file -> graph.deleted(file, time));
      }
    }
    return step();
  }

  /** Assigns what can be assigned and hands over what this event led to. */
  private Step step() {
    assigning.round(started, turn.now());
    return turn.end();
  }

  /**
   * Says why a job cannot be added as things are.
   *
   * @param addition the job
   * @return the reason, or nothing when it can be added
   */
  public Optional<String> refusal(JobAddition addition) {
    ResourceNeeds needs = ResourceNeeds.of(addition.task().needs());
    WorkerSize size = shared.size();
    return size.fits(needs)
        ? jobs().board.growth().refusal(addition)
        : Optional.of(
            "it needs "
                + needs.inWords()
                + ", and a worker has "
                + ResourceNeeds.inWords(size.cores(), size.memoryBytes())
                + ": ask for less, or start a pool with more by --worker-cores and"
                + " --worker-memory");
  }

  /**
   * Adds a job.
   *
   * @param addition the job
   * @param time milliseconds since the epoch
   * @return what follows
   * @throws IllegalArgumentException when there is a {@link #refusal(Addition)}
   */
  public Step add(JobAddition addition, long time) {
    requireNone(refusal(addition), "task", addition.task().id());
    turn.begin(time);
    jobs().board.add(addition, time);
    turn.record(new DispatchRecord.TaskAdded(addition, time));
    return step();
  }

  /**
   * Gives up a job and those that need what it makes. Its command is ended if it runs.
   *
   * @param taskId its id; an unknown one, or one that is done or given up, is ignored
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step cancel(String taskId, long time) {
    turn.begin(time);
    jobs().helm.cancel(taskId);
    return step();
  }

  /**
   * Whether a job that is known has made a file or may still do so.
   *
   * @param fileId id of the file
   * @return whether; false for files that only HDFS knows
   */
  public boolean isMadeHere(String fileId) {
    return jobs().board.growth().isMadeHere(fileId);
  }

  /**
   * Whether a file is made by a job that is known, whatever has become of that.
   *
   * @param fileId id of the file
   * @return whether
   */
  public boolean hasMaker(String fileId) {
    return jobs().board.known(fileId).anyMatch(file -> file.producer != null);
  }

  /**
   * Forgets jobs that are done or given up, so that a session may go on for ever. What they made
   * stays where it is, and is not made again when it is lost.
   *
   * @param taskIds their ids; those of jobs that are not over, or are made again, are passed over
   * @return the ids of which no job is known now
   */
  public List<String> forget(Collection<String> taskIds) {
    return jobs().board.forget(taskIds);
  }

  /**
   * What the jobs read that wait for a worker.
   *
   * @param atMost how many jobs are of interest
   * @return for each of the first of them the ids of its inputs
   */
  public List<List<String>> readyInputs(int atMost) {
    List<List<String>> inputs = new ArrayList<>();
    for (TaskState task : jobs().board.ready().all()) {
      if (inputs.size() == atMost) {
        break;
      }
      inputs.add(task.task.inputs());
    }
    return inputs;
  }

  /**
   * Whether workers still have attempts of a graph, which may be on their way out.
   *
   * @param graph id of the graph
   * @return whether; false when it is not known
   */
  public boolean inHand(String graph) {
    WorkflowState board = session.get(graph);
    return board != null && board.attemptsInHand > 0;
  }

  /**
   * Forgets a graph that has ended, so that a session may go on for ever.
   *
   * @param graph its id; an unknown one is ignored
   * @throws IllegalStateException when it has not ended, or is {@link #inHand}
   */
  public void forgetGraph(String graph) {
    WorkflowState board = session.get(graph);
    if (board == null) {
      return;
    }
    if (!board.over || board.attemptsInHand > 0) {
      throw new IllegalStateException("Graph '" + graph + "' has not come to rest");
    }
    session.remove(board);
    runs.remove(board);
    caches.forget(board);
    blame.forget(board);
    casualties.forget(board);
    returns.forget();
  }

  /** {@return how far the graphs and jobs of the session are, all of them together} */
  public Progress progress() {
    List<String> running = new ArrayList<>();
    int ahead = 0;
    for (WorkerState worker : crew.all()) {
      worker.running().forEach(task -> running.add(task.id));
      ahead += worker.ahead().size();
    }
    Progress sum = new Progress(0, 0, ahead, running, crew.size(), 0, 0, 0);
    for (GraphRun run : runs.values()) {
      sum = sum.plus(run.tally.progress(List.of(), 0));
    }
    return sum;
  }

  /**
   * How far a graph is.
   *
   * @param graph its id
   * @return the state of this moment, with the ids of the workflow
   * @throws IllegalArgumentException when it is not known
   */
  public Progress progress(String graph) {
    return get(graph).tally.progress();
  }

  /**
   * How far a graph is, task by task; takes as long as there are tasks.
   *
   * @param graph its id
   * @return the state of this moment, with the ids of the workflow
   * @throws IllegalArgumentException when it is not known
   */
  public Progress.Details details(String graph) {
    GraphRun run = get(graph);
    return run.tally.details(run.helm.givenUp().atMost(GIVEN_UP_SHOWN));
  }
}
