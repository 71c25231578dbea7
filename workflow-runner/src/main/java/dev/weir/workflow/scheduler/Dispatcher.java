package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import dev.weir.workflow.scheduler.dispatch.SpeculationPolicy;
import dev.weir.workflow.scheduler.state.AttemptRef;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches the tasks of a session's graphs to workers. A graph is a workflow, which ends when all
 * its tasks are done or one has failed permanently, or the graph of single jobs, which does not
 * end. A pure state machine: each event returns the records for the journal and the effects to
 * carry out. It reads no clock and starts no thread. Not thread-safe: one thread must deliver all
 * events. Times are in milliseconds since the epoch.
 *
 * <p>Events, effects and records name tasks and files by scoped ids. Single jobs are the graph with
 * the empty id, whose ids have no prefix. A job that fails permanently is dropped, with the jobs
 * that need its outputs; other jobs continue. {@link AssignmentRound} shares the workers between
 * graphs.
 *
 * <p>Invariants: at most one live worker has a task, or two if a straggler has a second copy; only
 * one of the two may commit. A task is assigned only when all its inputs are in HDFS as far as is
 * known. A task is done only while each of its outputs that is still needed is in HDFS. When an
 * input is lost, its producer is not done any more, and so on recursively. A graph has succeeded
 * when its results were in HDFS after the last task. Another worker gets a task ahead only after
 * its worker has reported that the task has not begun.
 */
public final class Dispatcher {

  /** Bounds the status, which is written once a second. */
  private static final int GIVEN_UP_SHOWN = 20;

  private final SessionGraphs session;
  private final StepBuilder stepBuilder;
  private final NodeBlacklist nodeBlacklist = new NodeBlacklist();
  private final WorkerSet workers;
  private final AssignmentRound assigning;
  private final NodeCaches caches;
  private final SpeculationPolicy speculation;
  private final CommitPermits commitPermits;
  private final ReturningWorkers returningWorkers;
  private final LostWorkerTracker lostWorkers;
  private final WorkerDemand workerDemand;
  private final WriteBackScheduler writeBack;
  private boolean started;

  /** Why no task that needs further types of resources can be added; empty when one can. */
  private String resourceRefusal = "";

  /**
   * A dispatcher of a session without graphs and jobs.
   *
   * @param profiles profiles of jobs, for needs that they do not declare; called once for each job
   */
  public Dispatcher(
      AssignmentPolicy policy,
      Limits jobLimits,
      WorkerSize size,
      Function<Task, Optional<TaskProfiles.Profile>> profiles) {
    this(policy, size);
    put(
        WorkflowState.ofJobs(session.state, profiles),
        new Limits(jobLimits.attempts(), jobLimits.losses(), true));
  }

  /**
   * A dispatcher of one workflow whose ids have no prefix; it accepts no jobs.
   *
   * @param graph the workflow, with the empty id
   * @throws IllegalArgumentException when a task needs more than a worker has
   */
  public Dispatcher(AssignmentPolicy policy, WorkerSize size, Graph graph) {
    this(policy, size, graph, true);
  }

  Dispatcher(AssignmentPolicy policy, WorkerSize size, Graph graph, boolean waits) {
    this(policy, size);
    put(new WorkflowState(graph, waits, session.state), graph.limits());
  }

  private Dispatcher(AssignmentPolicy policy, WorkerSize size) {
    this.session = new SessionGraphs(SessionState.of(policy, size));
    this.stepBuilder = session.state.stepBuilder();
    this.workers = session.state.workers();
    this.caches = new NodeCaches(session);
    this.speculation = new SpeculationPolicy(session.state);
    this.commitPermits = new CommitPermits(session);
    DedicatedTasks dedicated = new DedicatedTasks(session);
    this.assigning = new AssignmentRound(session, dedicated);
    this.returningWorkers = new ReturningWorkers(session);
    this.lostWorkers = new LostWorkerTracker(session);
    this.writeBack = new WriteBackScheduler(session);
    this.workerDemand = new WorkerDemand(session, dedicated, caches, writeBack);
  }

  private GraphRun put(Graph graph) {
    return put(new WorkflowState(graph, true, session.state), graph.limits());
  }

  private GraphRun put(WorkflowState graph, Limits limits) {
    GraphRun run = new GraphRun(graph, limits, nodeBlacklist, writeBack);
    session.add(run);
    return run;
  }

  private GraphRun get(String graphId) {
    GraphRun run = session.get(graphId);
    if (run == null) {
      throw new IllegalArgumentException("No graph '" + graphId + "' in this session");
    }
    return run;
  }

  private GraphRun jobs() {
    GraphRun run = get("");
    if (!run.graph.grows()) {
      throw new IllegalStateException("This dispatcher accepts no jobs");
    }
    return run;
  }

  /** Sets whether stragglers of the graph without a prefix may have a second copy. */
  void speculate(boolean whether) {
    get("").graph.allowSpeculation(whether);
  }

  /**
   * Sets how many workers are expected. Early workers leave tasks to workers that are still to come
   * on nodes with their bytes. By default no worker is expected.
   *
   * @param number how many workers there will be at a time
   */
  public void expect(int number) {
    workers.expect(number);
  }

  /**
   * Sets the location of a workflow input of the declared size, in the graph without a prefix. To
   * be called before {@link #start}.
   *
   * @param bytesByHost for each host that has some of it, how many bytes
   */
  void locate(String fileId, Map<String, Long> bytesByHost) {
    locate(new StoredFile(fileId, get("").graph.file(fileId).sizeBytes(), bytesByHost));
  }

  /**
   * Sets the location of a workflow input of the graph without a prefix. To be called before {@link
   * #start}.
   *
   * @param input the file, with its blocks if tasks read regions of it
   */
  public void locate(StoredFile input) {
    get("").graph.locate(input);
  }

  /**
   * Returns why a graph cannot be added now.
   *
   * @return the reason; empty when it can be added
   */
  public Optional<String> refusal(Graph graph) {
    if (graph.id().isEmpty() || session.get(graph.id()) != null) {
      return Optional.of("there is a graph '" + graph.id() + "' already");
    }
    return graph.workflow().tasks().stream()
        .flatMap(task -> refusal(task).or(() -> workers.workerSize().refusal(task)).stream())
        .findFirst();
  }

  /** Refuses graphs and jobs from now on that need further types of resources. */
  public void refuseResources(String reason) {
    resourceRefusal = reason;
  }

  private Optional<String> refusal(Task task) {
    return Optional.of(resourceRefusal)
        .filter(reason -> !reason.isEmpty() && !task.needs().resources().isEmpty());
  }

  /**
   * Adds a graph, and starts it if the session has started.
   *
   * @param known records about it from earlier runs, with the ids of the workflow: {@link
   *     DispatchRecord.TakenOver} and {@link DispatchRecord.FilesFound}
   * @return records and effects; {@link DispatchRecord.GraphAdded} is the first record
   * @throws IllegalArgumentException when there is a {@link #refusal(Graph)}
   */
  public Step addGraph(Graph graph, List<DispatchRecord> known, long time) {
    requireNone(refusal(graph), "graph", graph.id());
    stepBuilder.begin(time);
    GraphRun run = put(graph);
    stepBuilder.record(new DispatchRecord.GraphAdded(graph.id(), graph.priority(), time));
    for (DispatchRecord record : known) {
      DispatchRecord scoped = GraphRun.scoped(record, graph.id());
      stepBuilder.record(scoped);
      stepBuilder.replay(() -> run.replay(scoped));
    }
    if (started) {
      run.graph.start(time);
      run.fileReleaser.start();
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
   * Replays the addition of a graph by an earlier dispatcher of the session. Its other records are
   * replayed after this. To be called before {@link #start}.
   *
   * @param graph the graph with that id; its priority is that of the record
   * @throws IllegalArgumentException when there is a {@link #refusal(Graph)}, or the ids differ
   */
  public void replayGraph(DispatchRecord.GraphAdded added, Graph graph) {
    requireNone(refusal(graph), "graph", graph.id());
    if (!added.graph().equals(graph.id())) {
      throw new IllegalArgumentException(graph.id() + " is not the graph of " + added);
    }
    put(graph).graph.setPriority(added.priority());
  }

  /**
   * Adds tasks to a graph that has not ended. They may read files of the graph. A request that was
   * applied before is answered, but not applied again.
   *
   * @param added the tasks, with the id of the graph; of its options only the profiles and the
   *     inputs are used, and an input that is neither listed nor a file of the graph is refused
   * @param record the request; it becomes the first record if the tasks are added
   * @param known what an earlier run has done of these tasks and of those after them, with the ids
   *     of the workflow
   * @return records and effects, with an {@link Effect.Answer} that counts no task when they are
   *     refused
   */
  public Step grow(
      Graph added, DispatchRecord.GraphGrown record, List<DispatchRecord.TakenOver> known) {
    stepBuilder.begin(record.millis());
    GraphRun run = session.get(record.graph());
    if (run == null) {
      stepBuilder.effect(new Effect.Answer(record.graph(), record.request(), GraphRun.TOO_LATE));
      return step();
    }
    Optional<String> refusal =
        added.workflow().tasks().stream()
            .flatMap(task -> refusal(task).map(why -> "task '" + task.id() + "': " + why).stream())
            .findFirst();
    if (refusal.isPresent()) {
      // A container for it would end the session.
      stepBuilder.effect(
          new Effect.Answer(
              record.graph(), record.request(), new SteeringAnswer(0, refusal.get())));
    } else {
      List<DispatchRecord.TakenOver> done =
          known.stream().map(one -> GraphRun.scoped(one, record.graph())).toList();
      run.growth.grow(added, record, done);
    }
    return step();
  }

  /**
   * Handles that the tasks of a sub-workflow cannot be added.
   *
   * @param graphId id of the graph; an unknown one is ignored
   * @param task id of the task that stands for the sub-workflow, without a prefix
   * @param reason why, in one line
   */
  public Step notExpanded(String graphId, String task, String reason, long time) {
    return on(graphId, time, run -> run.growth.notExpanded(task, reason));
  }

  /**
   * Handles that HDFS has lost the file of a sub-workflow before its tasks were added.
   *
   * @param graphId id of the graph; an unknown one is ignored
   * @param task id of the task that stands for the sub-workflow, without a prefix
   * @param reason what was lost, in one line
   */
  public Step subWorkflowLost(String graphId, String task, String reason, long time) {
    return on(graphId, time, run -> run.growth.workflowLost(task, reason));
  }

  /**
   * Replays the addition of tasks by an earlier dispatcher of the session. To be called before
   * {@link #start}, in the order of the records.
   *
   * @param added the tasks, as {@link #grow} had them
   * @param record the record of a known graph
   */
  public void replayGrowth(Graph added, DispatchRecord.GraphGrown record) {
    GraphRun run = get(record.graph());
    stepBuilder.replay(() -> run.growth.replay(added, record));
  }

  /**
   * Whether a record is about a known graph and known tasks, so that it can be replayed.
   *
   * @param record any but {@link DispatchRecord.GraphAdded}
   * @return false also for a job that is added a second time
   */
  public boolean knows(DispatchRecord record) {
    GraphRun run = recorded(record);
    return run != null && run.fits(record);
  }

  /** Ids of the graph without a prefix may contain a colon. */
  private @Nullable GraphRun recorded(DispatchRecord record) {
    GraphRun run = session.get(record.graph());
    return run == null ? session.get("") : run;
  }

  /**
   * Replays a record of an earlier dispatcher of the session, or of an earlier run. To be called
   * before {@link #start}, for all records in order.
   *
   * @param record any but {@link DispatchRecord.GraphAdded} and {@link DispatchRecord.GraphGrown}
   * @throws IllegalArgumentException when it is about an unknown task or graph
   */
  public void replay(DispatchRecord record) {
    GraphRun run = recorded(record);
    if (run == null) {
      throw new IllegalArgumentException("Record of an unknown graph: " + record);
    }
    stepBuilder.replay(() -> run.replay(record));
    returningWorkers.replay(record);
    lostWorkers.replay(record);
  }

  ReturningWorkers returningWorkers() {
    return returningWorkers;
  }

  /**
   * Handles an attempt that ran on a worker when the last ApplicationMaster ended. If its end is in
   * the journal, it is ignored. To be called after the replay, before any worker joins.
   *
   * @param taskId scoped id of the task
   */
  public void ranBefore(WorkerInfo worker, String taskId, int attempt) {
    lostWorkers.ranBefore(worker, taskId, attempt);
  }

  /** {@return the part that determines how many workers are needed} */
  public WorkerDemand workerDemand() {
    return workerDemand;
  }

  /** Starts the session. */
  public Step start(long time) {
    stepBuilder.begin(time);
    started = true;
    session.all().forEach(run -> run.graphCompletion.publishEnd());
    session.all().forEach(run -> run.graph.start(time));
    returningWorkers.started();
    commitPermits.answerAll();
    session.inOrder().forEach(run -> run.fileReleaser.start());
    return step();
  }

  /**
   * Handles a worker that has joined.
   *
   * @param worker the worker; a known one is ignored
   */
  public Step workerJoined(WorkerInfo worker, long time) {
    return workerJoined(worker, null, time);
  }

  /**
   * Handles a worker that has joined.
   *
   * @param worker the worker; a known one is ignored
   * @param dedicated the needs of the tasks for which it was requested; null for an ordinary worker
   */
  public Step workerJoined(WorkerInfo worker, @Nullable ResourceNeeds dedicated, long time) {
    stepBuilder.begin(time);
    workers.join(worker, dedicated, time);
    lostWorkers.joined(worker);
    workers.markNodeLive(worker.node());
    return step();
  }

  /**
   * Handles the list of attempts of a worker that has joined. Attempts in it that have ended are
   * reported after this like others.
   *
   * @param workerId id of the worker; the list of an unknown one is ignored
   * @param attempts in the order in which they were assigned
   */
  public Step returned(String workerId, List<HeldAttempt> attempts, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    if (worker != null) {
      attempts.forEach(attempt -> returningWorkers.restore(worker, attempt));
    }
    return step();
  }

  /**
   * Handles a worker's report of changes of its node's cache. It only affects where tasks are
   * assigned: a cached file may be evicted before a task reads it.
   *
   * @param workerId id of the worker; reports of an unknown one are ignored
   * @param kept ids of added files, with their sizes in bytes
   * @param gone ids of removed files
   */
  public Step cached(String workerId, Map<String, Long> kept, List<String> gone, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    if (worker != null) {
      caches.update(worker.info().node(), kept, gone);
    }
    return step();
  }

  /**
   * Handles a lost worker; its attempts are lost.
   *
   * @param workerId its id; an unknown one is ignored
   * @param reason why it is assumed lost
   */
  public Step workerLost(String workerId, String reason, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.leave(workerId);
    if (worker == null) {
      return step();
    }
    if (workers.workersOn(worker.info().node()) == 0) {
      workers.markNodeLost(worker.info().node());
    }
    caches.workerLeft(worker.info());
    writeBack.workerLeft(workerId);
    lostWorkers.lost(worker);
    Set<TaskState> ahead = Set.copyOf(worker.ahead());
    for (TaskState task : worker.assigned()) {
      GraphRun run = session.of(task);
      task.attemptOn(worker)
          .ifPresent(held -> run.completion.lost(task, held, ahead.contains(task), reason));
      run.fileReleaser.ended(task);
    }
    return step();
  }

  /**
   * Handles a report that YARN has ended a worker for reasons of its own, such as preemption. The
   * loss of the worker costs its tasks no try, whether it was noticed before or follows. Tasks that
   * ran may have made their node unhealthy: unless it is a preemption, a task has a {@linkplain
   * TaskState#hasExcuse limited number} of such losses.
   *
   * @param workerId id of the worker; one that is not known is ignored
   * @param preempted whether the tasks cannot be the cause
   */
  public Step endedByYarn(String workerId, boolean preempted, long time) {
    stepBuilder.begin(time);
    lostWorkers.endedByYarn(workerId, preempted);
    return step();
  }

  /**
   * Handles a report that a lost worker was killed for memory. The next attempt of each of its
   * tasks gets more memory. A task that ran alone has caused it: the second time this counts as a
   * failure of the task, and an attempt that has started since with the same memory is stopped.
   *
   * @param workerId id of the worker; one that is not remembered is ignored
   * @param reason the message of YARN
   */
  public Step killedForMemory(String workerId, String reason, long time) {
    stepBuilder.begin(time);
    lostWorkers.killedForMemory(workerId, reason);
    return step();
  }

  /**
   * Avoids a node that YARN takes back, or of which it takes containers back, and copies its files
   * to HDFS.
   *
   * @param node its host
   * @param until the end of it, in milliseconds since the epoch; 0 when the node stays
   * @param time in milliseconds since the epoch
   */
  public Step leaving(String node, long until, long time) {
    stepBuilder.begin(time);
    workers.markLeaving(node, until);
    return step();
  }

  /**
   * Handles a worker's report of the end of an attempt. A report about an attempt that the worker
   * does not have is ignored.
   */
  public Step reported(String workerId, TaskReport report, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    TaskState task = session.task(report.task());
    if (worker == null || task == null) {
      return step();
    }
    GraphRun run = session.of(task);
    AttemptRef held = task.attemptOn(worker).orElse(null);
    if (held != null && held.attempt() == report.attempt()) {
      run.completion.reported(task, held, report);
    } else {
      returningWorkers.reported(worker, task, report);
    }
    run.fileReleaser.ended(task);
    return step();
  }

  /**
   * Handles a worker's refusal to give an attempt back, because its command has begun or ended. The
   * worker that awaits the task gets another one.
   */
  public Step begun(String workerId, String taskId, int attempt, long time) {
    stepBuilder.begin(time);
    TaskState task = session.task(taskId);
    if (task != null) {
      session.state.assignments().begun(workerId, task, attempt);
    }
    return step();
  }

  /**
   * Handles a worker's question whether it may commit an attempt. The first attempt that asks may,
   * and the other is stopped. Questions before {@link #start} are answered then.
   *
   * @return records and effects; after {@link #start} with an {@link Effect.Permit}
   */
  public Step mayCommit(String workerId, String taskId, int attempt, long time) {
    stepBuilder.begin(time);
    commitPermits.requested(workerId, taskId, attempt);
    return step();
  }

  /** Handles the passing of time. To be called about once a second. */
  public Step tick(long time) {
    stepBuilder.begin(time);
    if (started) {
      writeBack.order();
      session.all().forEach(run -> run.graphCompletion.publishDrained());
    }
    List<WorkflowState> live = session.inOrder().stream().map(run -> run.graph).toList();
    if (started && !live.isEmpty()) {
      // Recall comes first: an idle worker should rather take a waiting task than copy a running
      // one.
      assigning.recall();
      speculation.copy(live, time);
      loseNodeFiles(time);
      session.inOrder().forEach(run -> run.fileReleaser.tick());
    }
    return step();
  }

  /**
   * Handles a worker's question whether a copy of a file gets its name in HDFS.
   *
   * @param nodeMillis when the store of the node got the file, in milliseconds since the epoch
   * @return an {@link Effect.PermitWriteBack}
   */
  public Step mayWriteBack(String workerId, String fileId, long nodeMillis, long time) {
    stepBuilder.begin(time);
    boolean granted =
        session.known(fileId).anyMatch(file -> writeBack.permit(file, workerId, nodeMillis));
    stepBuilder.effect(new Effect.PermitWriteBack(workerId, fileId, nodeMillis, granted));
    return step();
  }

  /**
   * Handles the end of an {@link Effect.WriteBack}.
   *
   * @param fileId id of the file; an unknown one is ignored
   * @param end what the worker reports
   */
  public Step writtenBack(String workerId, String fileId, WriteBackEnd end, long time) {
    stepBuilder.begin(time);
    session.known(fileId).forEach(file -> writeBack.ended(file, workerId, end));
    if (!writeBack.isWriting()) {
      session.all().forEach(run -> run.graphCompletion.publishDrained());
    }
    return step();
  }

  /**
   * Moves files to HDFS from a node whose disk is too full.
   *
   * @param excessBytes what its store has beyond its limit
   */
  public Step diskShortage(String workerId, long excessBytes, long time) {
    stepBuilder.begin(time);
    WorkerState worker = workers.get(workerId);
    if (started && worker != null) {
      writeBack.makeRoom(worker.info().node(), excessBytes);
    }
    return step();
  }

  /**
   * Makes files again that only nodes without workers have. Those of single jobs that no known job
   * needs are made again when a job needs them.
   */
  private void loseNodeFiles(long time) {
    Map<WorkflowState, List<FileState>> lost = new LinkedHashMap<>();
    for (FileState file : session.state.nodeFiles().lost(workers, time)) {
      TaskState producer = file.producer();
      if (producer != null && !producer.graph().isOver() && file.needed()) {
        lost.computeIfAbsent(producer.graph(), graph -> new ArrayList<>()).add(file);
      } else if (producer != null && producer.graph().grows()) {
        if (!file.fallBackToCopy()) {
          file.release();
        }
        session.state.nodeFiles().changed(file);
      }
    }
    lost.forEach((graph, files) -> get(graph.id()).lostFiles.markLost(files));
  }

  /**
   * Handles a steering request. A request that was applied before is answered, but not applied
   * again.
   *
   * @param id id of the request, unique in the graph
   * @return records and effects, with an {@link Effect.Answer}
   */
  public Step steer(String graphId, String id, Steering request, long time) {
    stepBuilder.begin(time);
    GraphRun run = session.get(graphId);
    if (run == null) {
      stepBuilder.effect(new Effect.Answer(graphId, id, GraphRun.TOO_LATE));
    } else {
      run.steer(id, request);
    }
    return step();
  }

  /**
   * Ends a graph as failed for a reason that is none of its tasks.
   *
   * @param graphId id of the graph; an unknown or ended one is ignored
   */
  public Step fail(String graphId, RunFailure failure, long time) {
    return on(graphId, time, run -> run.graphCompletion.fail(failure));
  }

  /**
   * Handles the result of an {@link Effect.Check}.
   *
   * @param graphId id of the graph; an unknown one is ignored
   * @param lost ids of results that are not in HDFS any more
   */
  public Step checked(String graphId, List<String> lost, long time) {
    return on(
        graphId,
        time,
        run ->
            run.checked(lost.stream().map(run.graph::file).filter(FileState::available).toList()));
  }

  /**
   * Handles the end of an {@link Effect.DeleteFiles}. A failed deletion is not retried; if a task
   * needs the file again, it is made again.
   */
  public Step deleted(List<String> files, long time) {
    stepBuilder.begin(time);
    for (String id : files) {
      GraphRun run = session.owner(id);
      if (run != null) {
        run.graph
            .known(id)
            .filter(FileState::isDeleting)
            .forEach(file -> run.graph.deleted(file, time));
      }
    }
    return step();
  }

  /** Handles an event about a graph; nothing happens when the graph is not known. */
  private Step on(String graphId, long time, Consumer<GraphRun> event) {
    stepBuilder.begin(time);
    GraphRun run = session.get(graphId);
    if (run != null) {
      event.accept(run);
    }
    return step();
  }

  /** Assigns tasks, and returns the records and effects of the event. */
  private Step step() {
    session.all().forEach(run -> run.growth.expand());
    assigning.round(started, stepBuilder.now());
    return stepBuilder.end();
  }

  /**
   * Returns why a job cannot be added now.
   *
   * @return the reason; empty when it can be added
   */
  public Optional<String> refusal(JobAddition addition) {
    ResourceNeeds needs = ResourceNeeds.of(addition.task().needs());
    String reason =
        refusal(addition.task()).or(() -> workers.workerSize().refusal(needs)).orElse("");
    return reason.isEmpty()
        ? jobs().graph.jobGraph().refusal(addition)
        : Optional.of(
            "it needs "
                + needs.inWords()
                + ", and "
                + reason
                + (needs.resources().isEmpty()
                    ? ": ask for less, or start a session with more by --worker-cores and"
                        + " --worker-memory"
                    : ""));
  }

  /**
   * Adds a job.
   *
   * @throws IllegalArgumentException when there is a {@link #refusal(JobAddition)}
   */
  public Step add(JobAddition addition, long time) {
    requireNone(refusal(addition), "task", addition.task().id());
    stepBuilder.begin(time);
    GraphRun jobs = jobs();
    List<FileState> replaced =
        addition.task().outputs().stream().flatMap(jobs.graph::known).toList();
    jobs.graph.add(addition, time);
    jobs.fileReleaser.consider(replaced);
    stepBuilder.record(new DispatchRecord.TaskAdded(addition, time));
    return step();
  }

  /**
   * Drops a job and those that need its outputs. Stops its attempts.
   *
   * @param taskId its id; an unknown or settled one is ignored
   */
  public Step cancel(String taskId, long time) {
    stepBuilder.begin(time);
    jobs().steering.cancel(taskId);
    return step();
  }

  /**
   * Whether a known job has made a file or may still make it.
   *
   * @return false for files that no known job makes
   */
  public boolean isMadeHere(String fileId) {
    return jobs().graph.jobGraph().isMadeHere(fileId);
  }

  /** Whether a known job makes a file, whatever its status. */
  public boolean hasMaker(String fileId) {
    return jobs().graph.known(fileId).anyMatch(file -> file.producer() != null);
  }

  /**
   * Forgets settled jobs, to bound the memory of a long session. Their files stay in HDFS, and are
   * not made again when they are lost. Files that only nodes have are copied to HDFS first.
   *
   * @param taskIds their ids; jobs that are not settled, or whose files are not in HDFS, are
   *     skipped
   * @return the ids that no known job has now
   */
  public List<String> forget(Collection<String> taskIds) {
    WorkflowState graph = jobs().graph;
    writeBack.handOver(graph.onlyOnNodes(taskIds));
    return graph.forget(taskIds);
  }

  /**
   * Returns the inputs of ready jobs.
   *
   * @param atMost the greatest number of jobs
   * @return for each of the first jobs the ids of its inputs
   */
  public List<List<String>> readyInputs(int atMost) {
    List<List<String>> inputs = new ArrayList<>();
    for (TaskState task : jobs().graph.ready().all()) {
      if (inputs.size() == atMost) {
        break;
      }
      inputs.add(task.task().inputs());
    }
    return inputs;
  }

  /**
   * Returns the tasks of a graph that may have to run. The other tasks are done, unless their
   * outputs are lost.
   *
   * @return the ids of their inputs, by their ids; empty if the graph has ended or is not known
   */
  public Map<String, List<String>> unfinishedTasks(String graphId) {
    GraphRun run = session.get(graphId);
    if (run == null || run.graph.isOver()) {
      return Map.of();
    }
    return run.graph.all().stream()
        .filter(task -> task.status() != TaskState.Status.DONE)
        .collect(
            Collectors.toMap(
                TaskState::id, task -> task.inputs().stream().map(FileState::id).toList()));
  }

  /**
   * Whether workers still have attempts of a graph, which may be being stopped.
   *
   * @return false when the graph is not known
   */
  public boolean hasAttempts(String graphId) {
    GraphRun run = session.get(graphId);
    return run != null && run.graph.assignedAttempts() > 0;
  }

  /**
   * Forgets an ended graph, to bound the memory of a long session.
   *
   * @param graphId its id; an unknown one is ignored
   * @throws IllegalStateException when it has not ended, or workers {@linkplain #hasAttempts have
   *     attempts} of it
   */
  public void forgetGraph(String graphId) {
    GraphRun run = session.get(graphId);
    if (run == null) {
      return;
    }
    WorkflowState graph = run.graph;
    if (!graph.isOver() || graph.assignedAttempts() > 0) {
      throw new IllegalStateException(
          "Graph '" + graphId + "' has not ended, or workers still have attempts of it");
    }
    session.remove(run);
    caches.forget(graph);
    session.state.nodeFiles().forget(graph);
    writeBack.forget(graph);
    nodeBlacklist.forget(graph);
    lostWorkers.forget();
    returningWorkers.forget();
  }

  /** {@return the progress of all graphs and jobs of the session together} */
  public Progress progress() {
    List<String> running = new ArrayList<>();
    int ahead = 0;
    for (WorkerState worker : workers.all()) {
      worker.running().forEach(task -> running.add(task.id()));
      ahead += worker.ahead().size();
    }
    Progress sum = new Progress(0, 0, ahead, running, workers.size(), 0, 0, 0);
    for (GraphRun run : session.all()) {
      sum = sum.plus(run.statistics.progress(List.of(), 0));
    }
    return sum;
  }

  /**
   * Returns the progress of a graph.
   *
   * @return the current progress, with the ids of the workflow
   * @throws IllegalArgumentException when it is not known
   */
  public Progress progress(String graphId) {
    return get(graphId).statistics.progress();
  }

  /**
   * Returns the details of a graph's progress; looks at every task.
   *
   * @return the current details, with the ids of the workflow
   * @throws IllegalArgumentException when it is not known
   */
  public Progress.Details details(String graphId) {
    GraphRun run = get(graphId);
    return run.statistics.details(run.steering.givenUp().atMost(GIVEN_UP_SHOWN));
  }
}
