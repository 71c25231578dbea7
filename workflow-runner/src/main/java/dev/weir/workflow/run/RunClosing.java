package dev.weir.workflow.run;

import dev.weir.workflow.delivery.ProvenanceReporter;
import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.hdfs.DataDirectoryLock;
import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a run: removes temporary files, writes the record, and reports the end to YARN and the hints
 * service. A file that cannot be written does not keep a run from ending, because another
 * application attempt could not write it either. The diagnostics in YARN then say so.
 */
public final class RunClosing {

  private static final Logger LOG = LoggerFactory.getLogger(RunClosing.class);

  private final DistributedFileSystem fs;
  private final Staging staging;
  private final RunPlan plan;
  private final ApplicationAttemptId attempt;
  private final Clock clock;

  RunClosing(
      DistributedFileSystem fs,
      Staging staging,
      RunPlan plan,
      ApplicationAttemptId attempt,
      Clock clock) {
    this.fs = fs;
    this.staging = staging;
    this.plan = plan;
    this.attempt = attempt;
    this.clock = clock;
  }

  /**
   * The end of a run.
   *
   * @param failure the failure; null for success
   * @param provenanceReporter reports the run to the hints service; null without one
   * @param notices receives the notice of the end
   */
  record End(
      RunRecorder recorder,
      @Nullable RunFailure failure,
      EarlierRuns earlier,
      @Nullable ProvenanceReporter provenanceReporter,
      Consumer<RunNotice> notices) {

    RunState state() {
      if (failure == null) {
        return RunState.SUCCEEDED;
      }
      return failure.cancelled() ? RunState.CANCELLED : RunState.FAILED;
    }
  }

  /** The services beside a run. They end with it unless the session has other runs. */
  public interface Services extends SessionClosing.Services {

    Progress progress();

    /** Returns how many tasks were reused from earlier runs. */
    int reused();

    /** Returns whether the run's directory serves the run only, so that it can be tidied. */
    default boolean tidies() {
      return true;
    }

    CacheTraffic cacheTraffic();

    /** Finishes the deletion of intermediate files in bounded time; returns the deleted ones. */
    default DeletedFiles deletedFiles() {
      return DeletedFiles.NOTHING;
    }
  }

  /**
   * Ends the run, and its registration with YARN.
   *
   * @return whether HDFS has the record, the summary, and the results for later runs
   * @throws IOException when YARN rejects the end, or another ApplicationMaster has replaced this
   *     one: that one ends the run and needs its files
   */
  boolean close(Services services, End end) throws IOException, InterruptedException {
    services.requireLast();
    long ended = clock.millis();
    Progress last = services.progress();
    int reused = services.reused();
    services.finish();
    String run = attempt.getApplicationId().toString();
    RunFailure why = end.failure();
    if (attempt.getAttemptId() > 1
        || end.state() != RunState.SUCCEEDED
        || end.recorder().anyWorkerLost()) {
      TemporaryFiles left = new TemporaryFiles(plan, AttemptLabels.run(attempt.getApplicationId()));
      boolean unused = end.state() == RunState.SUCCEEDED ? left.removeUnnamed(fs) : left.remove(fs);
    }
    if (why != null) {
      write(Staging.FAILURE, () -> staging.writeJson(Staging.FAILURE, why));
    }
    RunRecord record =
        end.recorder()
            .build(
                new RunRecorder.Name(run, plan.workflow().name(), plan.mode().label()),
                end.state(),
                ended)
            .with(services.cacheTraffic())
            .with(services.deletedFiles());
    String unrecorded =
        write(
            Staging.RECORD,
            () -> staging.write(Staging.RECORD, out -> RunRecordCodec.write(record, out)));
    String text = why == null ? null : why.inOneLine();
    boolean isLeft = leave(record, summary(record, last, reused, text), end, services);
    end.notices()
        .accept(RunNotice.of(record, plan.workflow().tasks().size(), text == null ? "" : text));
    ProvenanceReporter provenanceReporter = end.provenanceReporter();
    if (provenanceReporter != null) {
      provenanceReporter.finish(record, text);
    }
    new DataDirectoryLock(fs, plan.dataDir()).release(run);
    boolean inVain = why == null && !unrecorded.isEmpty();
    services.unregister(why, inVain ? "all tasks are done; " + unrecorded : unrecorded);
    return isLeft && unrecorded.isEmpty();
  }

  /** Writes a file with retries; returns the failure, or an empty string. */
  private String write(String name, InvocationRaisingIOE write) throws InterruptedException {
    try {
      HdfsRetry.DEFAULT.run(write);
      return "";
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot write {}; the run ends without it", staging.file(name), e);
      return "the record could not be written: "
          + staging.file(name).toUri().getPath()
          + ": "
          + HdfsRefusals.explained(e);
    }
  }

  private static RunSummary.End summary(
      RunRecord record, Progress last, int reused, @Nullable String failure) {
    return new RunSummary.End(
        record.state(),
        record.ended().toString(),
        last.done(),
        reused,
        last.failedAttempts(),
        last.inputBytesLocal(),
        last.inputBytesRemote(),
        failure == null ? "" : failure);
  }

  /**
   * Writes the run's files beside the record. Failures are only logged: the run must end.
   *
   * @return whether all were written
   */
  private boolean leave(RunRecord record, RunSummary.End summary, End end, Services services) {
    boolean remembered = end.earlier().remember(plan, record, end.recorder().takenOver());
    if (!plan.standIn()) {
      new TaskProfileStore(RunDirectories.containing(staging))
          .learn(record.tasks(), plan.workers().cores());
    }
    try {
      staging.writeJson(
          Staging.SUMMARY, begun(record).withTasks(plan.workflow().tasks().size()).ended(summary));
      if (services.tidies()) {
        staging.tidy(remembered);
      }
      return remembered;
    } catch (IOException e) {
      LOG.warn("Cannot clean up {}", staging.directory(), e);
      return false;
    }
  }

  /** Returns the client's summary, or a new one if it is missing. */
  private RunSummary begun(RunRecord record) {
    try {
      return staging.readJson(Staging.SUMMARY, RunSummary.class);
    } catch (IOException e) {
      LOG.debug("The client left no summary", e);
      return RunSummary.of(record.runId(), plan, record.started());
    }
  }
}
