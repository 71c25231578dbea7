package dev.weir.workflow.client;

import dev.weir.hints.InvalidHintException;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.Steering.Action;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.yarn.ApplicationStates;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run that was started. One thread at a time, except for {@link #cancel} and {@link #kill}. */
public final class RunHandle implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunHandle.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** The ApplicationMaster has said that it ends, which takes it a few tenths of a second. */
  private static final Duration POLL_AT_END = Duration.ofMillis(50);

  /** An ApplicationMaster that takes longer to end is asked less often again. */
  private static final int POLLS_AT_END = 60;

  private final ApplicationId id;
  private final int tasks;
  private final Cluster cluster;
  private @Nullable RunFailure failure;

  /**
   * What a run is reached by.
   *
   * @param hinted whether there may be hints of the run's
   * @param session that runs it; null for a run that is an application of its own
   */
  record Cluster(
      Configuration conf,
      YarnClient yarn,
      Staging staging,
      boolean hinted,
      Clock clock,
      @Nullable RunSession session) {}

  RunHandle(ApplicationId id, int tasks, Cluster cluster) {
    this.id = id;
    this.tasks = tasks;
    this.cluster = cluster;
  }

  /**
   * The run's id: that of its YARN application, or of none if a session runs it.
   *
   * @return the id
   */
  public String id() {
    return id.toString();
  }

  /**
   * Waits for the end of the run. Its directory keeps the record.
   *
   * @param listener hears how far the run is, whenever that is known; on this thread
   * @return the record of the run, whether it succeeded or failed
   * @throws RunException when the run ended without a record: killed, or its ApplicationMaster
   *     failed
   * @throws IOException when the cluster cannot be reached
   * @throws InterruptedException when the thread is interrupted; the run goes on
   */
  public RunRecord await(Consumer<RunProgress> listener) throws IOException, InterruptedException {
    RunProgress shown = RunProgress.submitted(tasks);
    listener.accept(shown);
    RunSession session = cluster.session();
    if (session != null) {
      return awaitInSession(session, shown, listener);
    }
    int ending = 0;
    ApplicationReport report = report(id);
    while (!ApplicationStates.hasEnded(report.getYarnApplicationState())) {
      shown = show(shown, listener);
      ending += shown.phase() == RunProgress.Phase.FINISHING ? 1 : 0;
      boolean soon = ending > 0 && ending <= POLLS_AT_END;
      Thread.sleep((soon ? POLL_AT_END : POLL).toMillis());
      report = report(id);
    }
    progress().ifPresent(listener);
    return finish(
        " ended as "
            + report.getYarnApplicationState()
            + " and left no record: "
            + report.getDiagnostics().strip()
            + MasterMemory.remedy(report.getDiagnostics()),
        id);
  }

  /** The session answers as soon as the run has ended; meanwhile its progress is shown. */
  private RunRecord awaitInSession(
      RunSession session, RunProgress first, Consumer<RunProgress> listener)
      throws IOException, InterruptedException {
    RunProgress shown = first;
    try (RunSession.Wait wait = session.await(id())) {
      while (true) {
        try {
          String said = wait.end().get(POLL.toMillis(), TimeUnit.MILLISECONDS);
          progress().ifPresent(listener);
          return finish(" left no record: " + said, session.id());
        } catch (TimeoutException e) {
          shown = show(shown, listener);
        }
      }
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new RunException(
          "The session " + session.id() + " does not say when " + id + " ends: " + why.getMessage(),
          e);
    }
  }

  private RunProgress show(RunProgress shown, Consumer<RunProgress> listener) {
    Optional<RunProgress> progress = progress();
    if (progress.isPresent() && !progress.get().equals(shown)) {
      listener.accept(progress.get());
    }
    return progress.orElse(shown);
  }

  private ApplicationReport report(ApplicationId application) throws IOException {
    try {
      return cluster.yarn().getApplicationReport(application);
    } catch (YarnException e) {
      throw new RunException("YARN says nothing about " + application + ": " + e.getMessage(), e);
    }
  }

  private Optional<RunProgress> progress() {
    try {
      return Optional.of(cluster.staging().readJson(Staging.STATUS, RunProgress.class));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      // Only a display: the next reading is half a second away.
      LOG.debug("Cannot read the status of {}", id, e);
      return Optional.empty();
    }
  }

  private RunRecord finish(String withoutRecord, ApplicationId logs) throws IOException {
    try {
      RunRecord run = cluster.staging().readRecord();
      failure = readFailure();
      return run;
    } catch (FileNotFoundException e) {
      throw new RunException(
          "The run " + id + withoutRecord + "\nSee its logs: yarn logs -applicationId " + logs, e);
    } finally {
      cleanUp();
    }
  }

  private @Nullable RunFailure readFailure() throws IOException {
    try {
      return cluster.staging().readJson(Staging.FAILURE, RunFailure.class);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /**
   * Why the run failed, once {@link #await} has returned.
   *
   * @return the task that failed for good, or empty when the run succeeded
   */
  public Optional<RunFailure> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Has the run end by itself, so that it leaves a record, and nothing that is temporary. {@link
   * #await} says when it has. Any thread.
   *
   * @return whether there is an ApplicationMaster to do it; if not nothing happens
   * @throws IOException when the cluster cannot be reached
   */
  public boolean cancel() throws IOException {
    RunSession session = cluster.session();
    ApplicationId application = session == null ? id : session.id();
    if (report(application).getYarnApplicationState() != YarnApplicationState.RUNNING) {
      return false;
    }
    String unused =
        SteeringRequest.leave(cluster.staging(), Steering.of(Action.CANCEL, ""), cluster.clock());
    return true;
  }

  /**
   * Ends the run at once, and removes its hints. Its directory keeps what is known of it. A run of
   * a session is ended by the session, which goes on. Idempotent; any thread.
   *
   * @throws RunException when its session does not answer: it ends the run when it can
   * @throws IOException when the cluster cannot be reached
   */
  public void kill() throws IOException {
    RunSession session = cluster.session();
    if (session == null) {
      killApplication();
    } else {
      kill(session);
    }
  }

  private void kill(RunSession session) throws IOException {
    try {
      if (!session.kill(id())) {
        removeHints();
        noteEnded("killed by its owner");
        cleanUp();
      }
    } catch (IOException e) {
      String unused =
          SteeringRequest.leave(cluster.staging(), Steering.of(Action.CANCEL, ""), cluster.clock());
      throw new RunException(
          "The session "
              + session.id()
              + " does not answer ("
              + e.getMessage()
              + "). It ends "
              + id
              + " as soon as it can; see 'weir status "
              + id
              + "'",
          e);
    }
  }

  /**
   * Ends a run of which nobody knows whether its session has taken it, or will: a session that does
   * finds that it is to end it. Its directory stays.
   *
   * @param reason why it did not succeed
   */
  void abandon(String reason) throws IOException {
    String unused =
        SteeringRequest.leave(cluster.staging(), Steering.of(Action.CANCEL, ""), cluster.clock());
    noteEnded(reason);
  }

  private void killApplication() throws IOException {
    try {
      cluster.yarn().killApplication(id);
    } catch (ApplicationNotFoundException e) {
      LOG.debug("{} was not submitted yet", id, e);
    } catch (YarnException e) {
      throw new RunException("YARN does not kill " + id + ": " + e.getMessage(), e);
    } finally {
      removeHints();
      noteEnded("killed by its owner");
      cleanUp();
    }
  }

  /** An ApplicationMaster that is killed cannot write down how the run ended. */
  private void noteEnded(String reason) {
    try {
      RunSummary summary = cluster.staging().readJson(Staging.SUMMARY, RunSummary.class);
      if (summary.end() == null) {
        RunProgress last = progress().orElse(RunProgress.submitted(tasks));
        cluster
            .staging()
            .writeJson(
                Staging.SUMMARY,
                summary.ended(
                    new RunSummary.End(
                        RunState.CANCELLED,
                        Instant.now(cluster.clock()).toString(),
                        last.done(),
                        last.details().reused(),
                        last.failedAttempts(),
                        last.inputBytesLocal(),
                        last.inputBytesRemote(),
                        reason)));
      }
    } catch (IOException e) {
      LOG.debug("Cannot write down that {} has ended", id, e);
    }
  }

  /** The ApplicationMaster does it when it ends by itself; one that is killed cannot. */
  private void removeHints() {
    if (!cluster.hinted()) {
      return;
    }
    try {
      HintPublisher.of(cluster.conf()).ifPresent(this::removeHints);
    } catch (IOException | InvalidHintException e) {
      LOG.warn("Cannot remove the hints of {}; they expire by themselves", id, e);
    }
  }

  private void removeHints(HintPublisher desk) {
    try (desk) {
      desk.remove(id.toString());
    }
  }

  private void cleanUp() {
    try {
      cluster.staging().tidy(false);
    } catch (IOException e) {
      LOG.warn("Cannot tidy up {}", cluster.staging().directory(), e);
    }
  }

  /** Lets go of the connection to YARN; the run goes on. */
  @Override
  public void close() {
    cluster.yarn().stop();
  }
}
