package dev.weir.workflow.client;

import dev.weir.hints.Suggestion;
import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.estimate.ClusterRates;
import dev.weir.workflow.estimate.RunEstimate;
import dev.weir.workflow.htmlreport.RunDetails;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.TaskGlob;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/** A run of a user, found by its name. Not thread-safe. */
public final class KnownRun {

  private static final long POLL_MILLIS = 200;
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(30);

  private final ApplicationId id;
  private final Staging directory;
  private final Runs runs;

  KnownRun(ApplicationId id, Staging directory, Runs runs) {
    this.id = id;
    this.directory = directory;
    this.runs = runs;
  }

  /** Returns the run's id. It is the id of its YARN application, unless a session runs it. */
  public ApplicationId id() {
    return id;
  }

  /** Returns the current state of the run. */
  public RunView view() throws IOException {
    return runs.view(directory, runs::state);
  }

  /**
   * Estimates what is left of the run.
   *
   * @return empty if it is not running tasks, or is too large to be estimated in passing
   */
  public Optional<RunEstimate> remaining(RunView view) throws IOException {
    RunProgress progress = view.progress();
    if (view.stage() != Stage.RUNNING || progress == null) {
      return Optional.empty();
    }
    RunPlan plan = plan();
    if (!RemainingRun.isEstimated(plan)) {
      return Optional.empty();
    }
    RemainingRun rest = new RemainingRun(plan, id.toString());
    RunDirectories directories = RunDirectories.containing(directory);
    rest.read(runs.fs(), directories.journals(view.summary()).directory());
    String replication = plan.settings().get(HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    RunRequest request =
        RunRequest.builder(plan.workflow(), plan.dataDir())
            .replication(replication == null ? 0 : Integer.parseInt(replication))
            .build();
    boolean isPlain = plan.standIn() || plan.choices().ignoreNeeds();
    TaskProfiles known = new TaskProfileStore(directories).read();
    return rest.estimate(
        isPlain ? known.withoutNeeds() : known,
        ClusterRates.usual((double) LinkSpeed.of(runs.conf()))
            .measured(RunForecast.lastRuns(directories)),
        new RemainingRun.ProgressView(
            progress.workers(),
            progress.details().running(),
            RunForecast.storage(request, runs.conf())),
        runs.clock().millis());
  }

  /**
   * Returns the attempts that have ended so far as a record, from the journal of a live run.
   *
   * @return the record; its end is now
   */
  public RunRecord recordSoFar() throws IOException {
    RunView view = view();
    RunDirectories directories = RunDirectories.containing(directory);
    return new LiveRecord(plan(), view.summary())
        .read(
            runs.fs(),
            directories.journals(view.summary()).directory(),
            view.stage().isEnd() ? RunState.FAILED : RunState.RUNNING,
            runs.clock().millis());
  }

  /**
   * Reads the record of a run that has ended.
   *
   * @return the record; empty while the run continues, or if it ended without one
   */
  public Optional<RunRecord> record() throws IOException {
    try {
      return Optional.of(directory.readRecord());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads what the report of the run shows beside its record.
   *
   * @return the details; empty if its plan was deleted
   */
  public RunDetails details() throws IOException {
    return RunDetailsReader.read(directory);
  }

  /** Returns the logs of the run's commands. */
  public RunLogs logs() {
    return new RunLogs(this, directory, runs);
  }

  /**
   * Returns the files of the run.
   *
   * @throws SteeringException if the run has no plan
   */
  public RunResults results() throws IOException {
    RunPlan plan = requirePlan();
    return new RunResults(runs.fs(), plan.workflow(), plan.dataDir());
  }

  /**
   * Returns the sandbox of a task, to be made on this machine.
   *
   * @throws SteeringException if the workflow has no such task, or the task has no command
   */
  public TaskSandbox sandbox(String name) throws IOException {
    RunPlan plan = requirePlan();
    List<Task> tasks = plan.workflow().tasks();
    Task task =
        tasks.stream()
            .filter(each -> each.id().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new SteeringException(
                        Kind.NOT_FOUND,
                        "The workflow of %s has no task '%s'%s"
                            .formatted(
                                id,
                                name,
                                Suggestion.question(name, tasks.stream().map(Task::id).toList()))));
    if (task.command().isEmpty()
        || task.joinsRegions()
        || SubWorkflow.is(task.command())
        || FetchCommand.of(task.command()).isPresent()) {
      throw new SteeringException(Kind.IMPOSSIBLE, "The task '" + name + "' has no command");
    }
    return new TaskSandbox(runs.fs(), plan.dataDir(), id.toString(), task, plan.environment());
  }

  /** Explains why files of the run are not in HDFS. */
  public String whyMissing() throws IOException {
    RunPlan plan = requirePlan();
    if (!view().stage().isEnd()) {
      return mayStayOnNodes(plan)
          ? "the run has not made them or not copied them from their nodes yet, or has deleted them"
          : "the run has not made them yet, or has deleted them after their last reader";
    }
    Optional<String> moved = movedTo();
    if (moved.isPresent()) {
      return "results were moved to " + moved.get() + "; others were not made, or not kept";
    }
    return mayStayOnNodes(plan)
        ? "they were not made, were on nodes only and not kept (see --keep), or were moved since"
        : "they were not made, or were deleted (see --keep) or moved since";
  }

  /**
   * Returns the directory to which the results of the run were moved.
   *
   * @return its URI; empty if they were not moved
   */
  public Optional<String> movedTo() throws IOException {
    try {
      return Optional.of(directory.readJson(Staging.MOVED, String.class));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private static boolean mayStayOnNodes(RunPlan plan) {
    return plan.mode() == Mode.WEIR && plan.choices().intermediate() != IntermediateStore.HDFS;
  }

  private RunPlan requirePlan() throws IOException {
    try {
      return plan();
    } catch (FileNotFoundException e) {
      throw new SteeringException(
          Kind.IMPOSSIBLE, id + " has no plan: it was deleted, or these are jobs of a session", e);
    }
  }

  /**
   * Sends a steering request to the run and waits for its answer.
   *
   * @throws SteeringException if the run has ended, or does not answer in time; in the latter case
   *     the next ApplicationMaster executes the request
   * @throws RunException if HDFS is in safe mode
   * @throws InterruptedException if the thread is interrupted; the request may still be executed
   */
  public SteeringAnswer steer(Steering request, Duration timeout)
      throws IOException, InterruptedException {
    requireNotEnded();
    ClusterProbe.requireWritable(runs.fs());
    String requestId = SteeringRequest.write(directory, request, runs.clock());
    long end = System.nanoTime() + timeout.toNanos();
    do {
      try {
        return directory.readJson(SteeringRequest.answer(requestId), SteeringAnswer.class);
      } catch (FileNotFoundException e) {
        Thread.sleep(POLL_MILLIS);
      }
    } while (System.nanoTime() < end);
    requireNotEnded();
    throw new SteeringException(
        Kind.NO_ANSWER,
        ("The ApplicationMaster of %s has not answered in %s s. The next "
                + "ApplicationMaster executes the request; see 'weir status %s'")
            .formatted(id, timeout.toSeconds(), id));
  }

  private void requireNotEnded() throws IOException {
    RunView view = view();
    if (view.stage().isEnd()) {
      throw new SteeringException(
          Kind.IMPOSSIBLE,
          "The run " + id + " has ended (" + view.stage() + "): it cannot be changed");
    }
  }

  /**
   * Cancels the run, so that it writes a record, or kills it through YARN if it does not answer. A
   * session always ends its own runs.
   *
   * @return what was done, in one line
   * @throws SteeringException if it has ended
   * @throws RunException if HDFS is in safe mode
   */
  public String cancel(Duration timeout) throws IOException, InterruptedException {
    requireNotEnded();
    // Killing a run also writes to HDFS.
    ClusterProbe.requireWritable(runs.fs());
    if (view().stage() != Stage.SUBMITTED) {
      try {
        steer(Steering.of(Action.CANCEL, ""), timeout);
        return awaitEnd() ? "cancelled" : "the run is ending";
      } catch (SteeringException e) {
        if (e.kind() != Kind.NO_ANSWER) {
          throw e;
        }
      }
    }
    runs.handle(id, directory, view().summary()).kill();
    return "killed";
  }

  private boolean awaitEnd() throws IOException, InterruptedException {
    long end = System.nanoTime() + CANCEL_TIMEOUT.toNanos();
    while (System.nanoTime() < end) {
      if (view().stage().isEnd()) {
        return true;
      }
      Thread.sleep(POLL_MILLIS);
    }
    return false;
  }

  /**
   * Changes the priority of the run among the applications of its queue, or among the runs of its
   * session.
   *
   * @param priority the requested priority
   * @param timeout how long a session may take to answer
   * @return the priority that was set; YARN's scheduler has a maximum
   * @throws SteeringException if the run has ended, or YARN does not permit the change
   * @throws InterruptedException if the thread is interrupted; the request may still be executed
   */
  public SteeringAnswer prioritise(int priority, Duration timeout)
      throws IOException, InterruptedException {
    if (!view().summary().session().isEmpty()) {
      return steer(new Steering(Action.PRIORITISE, "", priority), timeout);
    }
    requireNotEnded();
    try {
      Priority granted = runs.yarn().updateApplicationPriority(id, Priority.newInstance(priority));
      int now = granted == null ? priority : granted.getPriority();
      return new SteeringAnswer(0, "YARN gives the run the priority " + now);
    } catch (YarnException e) {
      throw new SteeringException(
          Kind.REFUSED, "YARN does not change the priority of " + id + ": " + e.getMessage(), e);
    }
  }

  /**
   * Adds tasks to the run, which may read files that its tasks make.
   *
   * @param workflow the tasks; their ids and outputs are new in the run
   * @param upload local directory from which inputs that HDFS lacks are copied first; null for none
   * @throws SteeringException if the run has ended, refuses the tasks or does not answer in time
   * @throws RunException if the tasks cannot be run as they are
   * @throws InterruptedException if the thread is interrupted; the tasks may still be added
   */
  public SteeringAnswer add(Workflow workflow, @Nullable Path upload, Duration timeout)
      throws IOException, InterruptedException {
    requireNotEnded();
    ClusterProbe.requireWritable(runs.fs());
    RunPlan plan = plan();
    boolean isFree = plan.standIn() || plan.choices().ignoreNeeds();
    RunRequest.Builder request =
        RunRequest.builder(
                isFree ? WorkflowRunner.withoutNeeds(workflow) : workflow, plan.dataDir())
            .standIn(plan.standIn());
    RunRequest checked =
        WorkflowRunner.resolvedForSession(
            upload == null ? request.build() : request.uploadDir(upload).build(),
            runs.fs(),
            plan.dataDir());
    AddedTasks added = new AddedTasks(checked.workflow());
    requireNew(added, plan);
    WorkflowRunner.requireCommands(checked);
    WorkflowRunner.requireShortOrders(added.workflow(), plan.dataDir());
    WorkflowRunner.prepare(
        checked,
        new WorkflowInputs(
            runs.fs(),
            added.workflow(),
            plan.dataDir(),
            runs.clock(),
            plan.workflow().files().keySet()));
    return add(added.write(directory, runs.clock()), timeout);
  }

  private void requireNew(AddedTasks added, RunPlan plan) throws SteeringException {
    try {
      added.addTo(plan);
    } catch (InvalidWorkflowException e) {
      throw new SteeringException(
          Kind.REFUSED, "The tasks cannot be added to " + id + ": " + e.getMessage(), e);
    }
  }

  private SteeringAnswer add(String file, Duration timeout)
      throws IOException, InterruptedException {
    SteeringAnswer answer;
    try {
      answer = steer(new Steering(Action.ADD_TASKS, file, 0), timeout);
    } catch (SteeringException e) {
      if (e.kind() == Kind.IMPOSSIBLE) {
        directory.delete(file);
      }
      throw e;
    }
    if (answer.tasks() == 0) {
      throw new SteeringException(
          Kind.REFUSED, "The tasks were not added to " + id + ": " + answer.text());
    }
    return answer;
  }

  /**
   * Creates a request that retries this run, which has ended.
   *
   * @param taskGlob tasks to run in any case; empty for missing results only
   * @return the request; empty if the run has succeeded and no tasks are named
   * @throws SteeringException if no task matches, or the plan of the run was deleted
   */
  public Optional<RunRequest> retried(String taskGlob) throws IOException {
    if (taskGlob.isEmpty()) {
      return view().stage() == Stage.SUCCEEDED
          ? Optional.empty()
          : Optional.of(again(RerunChoice.NONE));
    }
    RunRequest again = again(taskGlob);
    if (again.workflow().tasks().stream().noneMatch(new TaskGlob(taskGlob)::matches)) {
      throw new SteeringException(
          Kind.NOT_FOUND,
          "No task of " + id + " has an id or a type that '" + taskGlob + "' matches");
    }
    return Optional.of(again);
  }

  /**
   * Creates a request for the same run, which reuses the tasks that were done.
   *
   * @param rerun tasks to run although they were done, as {@code --rerun} has it
   * @throws SteeringException if the plan of the run was deleted
   */
  public RunRequest again(String rerun) throws IOException {
    RunPlan plan = requirePlan();
    String replication = plan.settings().get(HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    return RunRequest.builder(plan.workflow(), plan.dataDir())
        .mode(plan.mode())
        .standIn(plan.standIn())
        .workers(plan.workers())
        .replication(replication == null ? 0 : Integer.parseInt(replication))
        .master(MasterMemory.of(plan.settings()))
        .queue(ApplicationRequest.of(plan.settings()))
        .environment(plan.environment())
        .choices(plan.choices().withRerun(rerun))
        .build();
  }

  /** Reads the plan of the run, with the tasks that were added. */
  RunPlan plan() throws IOException {
    return AddedTasks.readPlan(directory);
  }
}
