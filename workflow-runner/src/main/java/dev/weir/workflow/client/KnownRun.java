package dev.weir.workflow.client;

import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.Steering.Action;
import dev.weir.workflow.scheduler.SteeringAnswer;
import dev.weir.workflow.scheduler.TaskGlob;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.yarn.MasterMemory;
import dev.weir.workflow.yarn.QueueRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** A run that was found. One thread at a time. */
public final class KnownRun {

  private static final long POLL_MILLIS = 200;
  private static final Duration END = Duration.ofSeconds(30);

  private final ApplicationId id;
  private final Staging directory;
  private final Runs runs;

  KnownRun(ApplicationId id, Staging directory, Runs runs) {
    this.id = id;
    this.directory = directory;
    this.runs = runs;
  }

  /**
   * The run's id: that of its YARN application, or of none if a session runs it.
   *
   * @return the id
   */
  public ApplicationId id() {
    return id;
  }

  /**
   * The run as it is now.
   *
   * @return the view
   * @throws IOException when the cluster cannot be asked
   */
  public RunView view() throws IOException {
    return runs.view(directory, runs::state);
  }

  /**
   * The record of a run that has ended.
   *
   * @return the record; nothing when the run goes on, or ended without one
   * @throws IOException when it cannot be read
   */
  public Optional<RunRecord> record() throws IOException {
    try {
      return Optional.of(directory.readRecord());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * What the run's commands printed.
   *
   * @return the logs
   */
  public RunLogs logs() {
    return new RunLogs(this, directory, runs);
  }

  /**
   * Tells the run what is wanted of it and waits for its answer.
   *
   * @param wish what is wanted
   * @param patience how long to wait
   * @return the answer
   * @throws SteeringException when the run has ended, or nobody answers in that time; the wish is
   *     followed then as soon as there is an ApplicationMaster
   * @throws RunException when HDFS is in safe mode
   * @throws IOException when the cluster cannot be reached
   * @throws InterruptedException when the thread is interrupted; the wish may be followed
   */
  public SteeringAnswer steer(Steering wish, Duration patience)
      throws IOException, InterruptedException {
    requireLive();
    ClusterProbe.requireWritable(runs.fs());
    String left = SteeringRequest.leave(directory, wish, runs.clock());
    long end = System.nanoTime() + patience.toNanos();
    do {
      try {
        return directory.readJson(SteeringRequest.answer(left), SteeringAnswer.class);
      } catch (FileNotFoundException e) {
        Thread.sleep(POLL_MILLIS);
      }
    } while (System.nanoTime() < end);
    requireLive();
    throw new SteeringException(
        Kind.AWAY,
        "The ApplicationMaster of "
            + id
            + " has not answered in "
            + patience.toSeconds()
            + " s. It will do as it was told when there is one; see 'weir status "
            + id
            + "'");
  }

  private void requireLive() throws IOException {
    RunView view = view();
    if (view.stage().isEnd()) {
      throw new SteeringException(
          Kind.IMPOSSIBLE,
          "The run " + id + " has ended (" + view.stage() + "): nothing of it can be changed");
    }
  }

  /**
   * Ends the run: by itself, so that it leaves a record, or through YARN when it does not answer. A
   * run of a session is ended by the session in any case.
   *
   * @param patience how long to wait for its answer
   * @return what was done, in one line
   * @throws SteeringException when it has ended
   * @throws RunException when HDFS is in safe mode
   * @throws IOException when the cluster cannot be reached
   * @throws InterruptedException when the thread is interrupted
   */
  public String cancel(Duration patience) throws IOException, InterruptedException {
    requireLive();
    // That it was killed is written down, too.
    ClusterProbe.requireWritable(runs.fs());
    if (view().stage() != Stage.SUBMITTED) {
      try {
        steer(Steering.of(Action.CANCEL, ""), patience);
        return awaitEnd() ? "cancelled" : "the run is ending";
      } catch (SteeringException e) {
        if (e.kind() != Kind.AWAY) {
          throw e;
        }
      }
    }
    runs.handle(id, directory, view().summary()).kill();
    return "killed";
  }

  private boolean awaitEnd() throws IOException, InterruptedException {
    long end = System.nanoTime() + END.toNanos();
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
   * @param priority what is wanted
   * @param patience how long a session may take to answer
   * @return what was made of it: YARN's scheduler has a highest one
   * @throws SteeringException when it has ended, or YARN does not let this user do it
   * @throws IOException when YARN cannot be reached
   * @throws InterruptedException when the thread is interrupted; the wish may be followed
   */
  public SteeringAnswer prioritise(int priority, Duration patience)
      throws IOException, InterruptedException {
    if (!view().summary().session().isEmpty()) {
      return steer(new Steering(Action.PRIORITISE, "", priority), patience);
    }
    requireLive();
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
   * A request for what is to be tried again of this run, which has ended.
   *
   * @param taskGlob which tasks in any case; empty for what is missing only
   * @return the request; nothing when the run has succeeded and no tasks are named
   * @throws SteeringException when no task matches, or nobody knows any more what the run was to do
   * @throws IOException when the cluster cannot be asked
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
   * A request for the same run again: what it has done is taken over.
   *
   * @param rerun what is run although it was done, as {@code --rerun} has it
   * @return the request
   * @throws SteeringException when nobody knows any more what the run was to do
   * @throws IOException when its plan cannot be read
   */
  public RunRequest again(String rerun) throws IOException {
    RunPlan plan;
    try {
      plan = plan();
    } catch (FileNotFoundException e) {
      throw new SteeringException(
          Kind.IMPOSSIBLE,
          "The plan of " + id + " is not there any more: run its workflow with 'weir run'",
          e);
    }
    String replication = plan.settings().get(HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    return RunRequest.builder(plan.workflow(), plan.dataDir())
        .mode(plan.mode())
        .standIn(plan.standIn())
        .workers(plan.workers())
        .replication(replication == null ? 0 : Integer.parseInt(replication))
        .master(MasterMemory.of(plan.settings()))
        .queue(QueueRequest.of(plan.settings()))
        .environment(plan.environment())
        .choices(plan.choices().withRerun(rerun))
        .build();
  }

  /**
   * What the run was to do.
   *
   * @return its plan
   * @throws IOException when it cannot be read
   */
  RunPlan plan() throws IOException {
    return directory.readJson(Staging.PLAN, RunPlan.class);
  }
}
