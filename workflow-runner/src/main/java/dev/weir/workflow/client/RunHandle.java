package dev.weir.workflow.client;

import dev.weir.hints.InvalidHintException;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.htmlreport.RunDetails;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.yarn.ApplicationStates;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
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

/**
 * A run that this client started. Not thread-safe, except for {@link #cancel} and {@link #kill}.
 */
public final class RunHandle implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunHandle.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /**
   * Interval after the ApplicationMaster has announced its end, which takes a few tenths of a
   * second.
   */
  private static final Duration END_POLL = Duration.ofMillis(50);

  /** After this many short intervals, the longer interval applies again. */
  private static final int MAX_END_POLLS = 60;

  private final ApplicationId id;
  private final int tasks;
  private final Cluster cluster;
  private @Nullable RunFailure failure;

  /** Whether the run is known to have ended, perhaps before its application. */
  private volatile boolean ended;

  /**
   * The clients and directories of a run.
   *
   * @param application runs it: the run's own, that of another run to which it was added, or the
   *     session's
   * @param session client of the session that runs it; null for the session of a run
   */
  record Cluster(
      Configuration conf,
      YarnClient yarn,
      Staging staging,
      boolean hinted,
      Clock clock,
      ApplicationId application,
      @Nullable RunSession session) {}

  RunHandle(ApplicationId id, int tasks, Cluster cluster) {
    this.id = id;
    this.tasks = tasks;
    this.cluster = cluster;
  }

  /** Returns the run's id. It is the id of its YARN application, unless a session runs it. */
  public String id() {
    return id.toString();
  }

  /**
   * Waits for the end of the run. Its directory keeps the record.
   *
   * @param listener receives the progress whenever it changes, on this thread
   * @return the record of the run, whether it succeeded or failed
   * @throws RunException if the run ended without a record, because it was killed or its
   *     ApplicationMaster failed
   * @throws InterruptedException if the thread is interrupted; the run continues
   */
  public RunRecord await(Consumer<RunProgress> listener) throws IOException, InterruptedException {
    RunProgress shown = RunProgress.submitted(tasks);
    listener.accept(shown);
    RunSession session = cluster.session();
    if (session != null) {
      return awaitInSession(session, shown, listener);
    }
    int endingPolls = 0;
    ApplicationReport report = report(cluster.application());
    while (!ApplicationStates.hasEnded(report.getYarnApplicationState())) {
      shown = show(shown, listener);
      endingPolls += shown.phase() == RunProgress.Phase.FINISHING ? 1 : 0;
      // The application of a run to which others were added ends with the last of them.
      boolean mayEndBefore = isAdded() || endingPolls > MAX_END_POLLS;
      if (mayEndBefore && hasRecordedEnd()) {
        return finish(" left no record", cluster.application(), isAdded());
      }
      boolean soon = endingPolls > 0 && endingPolls <= MAX_END_POLLS;
      Thread.sleep((soon ? END_POLL : POLL).toMillis());
      report = report(cluster.application());
    }
    progress().ifPresent(listener);
    return finish(
        " ended as "
            + report.getYarnApplicationState()
            + " and left no record: "
            + report.getDiagnostics().strip()
            + MasterMemory.remedy(report.getDiagnostics()),
        cluster.application(),
        true);
  }

  /** Whether it was added to the session of another run. */
  private boolean isAdded() {
    return cluster.session() == null && !cluster.application().equals(id);
  }

  /**
   * Reads what the report of the run shows beside its record.
   *
   * @return the details; empty if its plan was deleted
   */
  public RunDetails details() throws IOException {
    return RunDetailsReader.read(cluster.staging());
  }

  /** Whether the summary has the end of the run. An unreadable one has none yet. */
  private boolean hasRecordedEnd() {
    try {
      if (summary().end() != null) {
        ended = true;
      }
      return ended;
    } catch (IOException e) {
      // The next poll follows soon. A failure here would have the client kill a live run.
      LOG.debug("Cannot read the summary of {}", id, e);
      return false;
    }
  }

  private RunSummary summary() throws IOException {
    return cluster.staging().readJson(Staging.SUMMARY, RunSummary.class);
  }

  /** Waits for the session's answer that the run has ended, and reports the progress meanwhile. */
  private RunRecord awaitInSession(
      RunSession session, RunProgress first, Consumer<RunProgress> listener)
      throws IOException, InterruptedException {
    RunProgress shown = first;
    try (RunSession.Wait wait = session.await(id())) {
      while (true) {
        try {
          String answer = wait.end().get(POLL.toMillis(), TimeUnit.MILLISECONDS);
          progress().ifPresent(listener);
          return finish(" left no record: " + answer, session.id(), true);
        } catch (TimeoutException e) {
          shown = show(shown, listener);
        }
      }
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new RunException(
          "The session %s does not report the end of %s: %s"
              .formatted(session.id(), id, why.getMessage()),
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
      // The progress is only displayed, and the next poll follows soon.
      LOG.debug("Cannot read the status of {}", id, e);
      return Optional.empty();
    }
  }

  /** Waits while HDFS is unavailable: a client that fails here would kill the other runs. */
  private RunRecord finish(String withoutRecord, ApplicationId logs, boolean tidies)
      throws IOException, InterruptedException {
    try {
      RunRecord run = HdfsRetry.DEFAULT.through(cluster.staging()::readRecord);
      failure = HdfsRetry.DEFAULT.through(this::readFailure).orElse(null);
      return run;
    } catch (FileNotFoundException e) {
      throw new RunException(
          "The run " + id + withoutRecord + "\nSee its logs: yarn logs -applicationId " + logs, e);
    } finally {
      if (tidies) {
        cleanUp();
      }
    }
  }

  private Optional<RunFailure> readFailure() throws IOException {
    try {
      return Optional.of(cluster.staging().readJson(Staging.FAILURE, RunFailure.class));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns why the run failed, after {@link #await} has returned.
   *
   * @return the task that failed permanently, or empty if the run succeeded
   */
  public Optional<RunFailure> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns the files of the run. */
  public RunResults results(Workflow workflow) throws IOException {
    return new RunResults(cluster.staging().fs(), workflow, summary().dataDir());
  }

  /** Notes in the run's directory that its results are moved, before the first one is. */
  public void noteMove(URI to) throws IOException {
    cluster.staging().writeJson(Staging.MOVED, to.toString());
  }

  /**
   * Requests the run to end, so that it writes a record and deletes its temporary files. {@link
   * #await} returns when it has ended. Thread-safe.
   *
   * @return false if there is no ApplicationMaster to cancel the run; nothing was requested then
   */
  public boolean cancel() throws IOException {
    if (report(cluster.application()).getYarnApplicationState() != YarnApplicationState.RUNNING) {
      return false;
    }
    requestCancel();
    return true;
  }

  /**
   * Kills the run and removes its hints. Its directory remains. A run of a session is ended by the
   * session, which continues. If the run has ended, its application is killed unless runs that were
   * added use it. Idempotent and thread-safe.
   *
   * @throws RunException if its session does not answer; it ends the run when it can
   */
  public void kill() throws IOException {
    RunSession session = cluster.session();
    if (session != null) {
      kill(session);
    } else if (isAdded()
        && !ApplicationStates.hasEnded(report(cluster.application()).getYarnApplicationState())) {
      requestCancel();
    } else if (isAdded()) {
      endKilled();
    } else if (!(ended || hasRecordedEnd()) || !hasAddedRuns()) {
      killApplication();
    }
  }

  private void requestCancel() throws IOException {
    String unused =
        SteeringRequest.write(cluster.staging(), Steering.of(Action.CANCEL, ""), cluster.clock());
  }

  private boolean hasAddedRuns() throws IOException {
    return !RunDirectories.containing(cluster.staging()).liveIn(id()).isEmpty();
  }

  private void kill(RunSession session) throws IOException {
    try {
      if (!session.kill(id())) {
        endKilled();
      }
    } catch (IOException e) {
      requestCancel();
      throw new RunException(
          ("The session %s does not answer (%s). It ends %s as soon as it can; see "
                  + "'weir status %s'")
              .formatted(session.id(), e.getMessage(), id, id),
          e);
    }
  }

  /**
   * Gives up a run that its session may or may not have accepted. If the session has it, or accepts
   * it later, it cancels the run. The run's directory remains.
   *
   * @param reason why it did not succeed
   */
  void abandon(String reason) throws IOException {
    requestCancel();
    writeEnd(reason);
  }

  private void killApplication() throws IOException {
    try {
      cluster.yarn().killApplication(id);
    } catch (ApplicationNotFoundException e) {
      LOG.debug("{} was not submitted yet", id, e);
    } catch (YarnException e) {
      throw new RunException("YARN does not kill " + id + ": " + e.getMessage(), e);
    } finally {
      endKilled();
    }
  }

  private void endKilled() {
    removeHints();
    writeEnd("killed by its owner");
    cleanUp();
  }

  /** Writes the summary in place of an ApplicationMaster that was killed. */
  private void writeEnd(String reason) {
    try {
      RunSummary summary = summary();
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
      LOG.debug("Cannot write the end of {}", id, e);
    }
  }

  /** Removes the hints in place of an ApplicationMaster that was killed. */
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

  private void removeHints(HintPublisher publisher) {
    try (publisher) {
      publisher.remove(id.toString());
    }
  }

  private void cleanUp() {
    try {
      cluster.staging().tidy(false);
    } catch (IOException e) {
      LOG.warn("Cannot remove temporary files in {}", cluster.staging().directory(), e);
    }
  }

  /** Closes the connection to YARN. The run continues. */
  @Override
  public void close() {
    cluster.yarn().stop();
  }
}
