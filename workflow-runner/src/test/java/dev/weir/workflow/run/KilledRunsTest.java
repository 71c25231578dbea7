package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.session.IncompleteCommits;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The next run cleans up after one that was killed between the renames of a task. */
class KilledRunsTest {

  private static final ApplicationId KILLED = ApplicationId.newInstance(7, 2);
  private static final ApplicationId OWN = ApplicationId.newInstance(7, 3);
  private static final String SESSION = ApplicationId.newInstance(7, 1).toString();
  private static final RunPlan PLAN = Plans.of(1, Plans.task("t", List.of(), List.of("a", "b")));

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final RunDirectories directories = RunDirectories.own(fs);

  @BeforeEach
  void killRun() throws IOException {
    directories.forgetRuns();
    fs.delete(new Path("/data"), true);
    plan(KILLED);
    directory(KILLED).writeJson(Staging.STATUS, List.of());
    writeOutput(KILLED, Staging.STATUS, 1_000);
    halfCommit(KILLED);
    plan(OWN);
    writeOutput(OWN, Staging.PLAN, 2_000);
    directory(OWN).writeJson(Staging.OTHERS, List.of());
  }

  private void plan(ApplicationId run) throws IOException {
    fs.mkdirs(directory(run).directory());
    directory(run).writeJson(Staging.PLAN, PLAN);
  }

  private Staging directory(ApplicationId run) {
    return directories.directory(run.toString());
  }

  private void writeOutput(ApplicationId run, String file, long millis) throws IOException {
    fs.setTimes(directory(run).file(file), millis, -1);
  }

  private void halfCommit(ApplicationId run) throws IOException {
    IncompleteCommits.halfCommit(fs, "/data", AttemptLabels.run(run) + "1-1");
  }

  private void cleanUp(ApplicationId other) {
    cleanUp(other, Long.MAX_VALUE, ReadBudget.unbounded());
  }

  private void cleanUp(ApplicationId other, long mostPlanBytes, ReadBudget allowance) {
    new KilledRuns(directories, OWN, mostPlanBytes, allowance).tidy(other);
  }

  private int countTemporaryFiles() throws IOException {
    return fs.listStatus(new Path("/data")).length;
  }

  @Test
  void incompleteCommitIsRolledBackOnce() throws Exception {
    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isZero();
    halfCommit(KILLED);
    cleanUp(KILLED);
    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  @Test
  void cleanupPrecedesTheSearchForReusableTasks() throws Exception {
    RunPlan plan = Plans.with(PLAN, RunOptions.DEFAULT.withRerun(RerunChoice.NONE));

    new EarlierRuns(
            plan,
            directories,
            OWN,
            EarlierRuns.Limits.within(Duration.ofMinutes(1)),
            Clock.systemUTC())
        .takeOver();

    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void runWithALargePlanIsNotCleanedUp() throws Exception {
    long plan = directory(KILLED).length(Staging.PLAN);

    cleanUp(KILLED, plan - 1, ReadBudget.unbounded());

    assertThat(countTemporaryFiles()).isEqualTo(2);
    cleanUp(KILLED, plan, ReadBudget.unbounded());
    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void runBeyondTheReadBudgetIsLeftToTheNextRun() throws Exception {
    cleanUp(KILLED, Long.MAX_VALUE, ReadBudget.ofBytes(100));

    assertThat(countTemporaryFiles()).isEqualTo(2);
    cleanUp(KILLED);
    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void runWithARecordNeedsNoCleanup() throws Exception {
    directory(KILLED).writeJson(Staging.RECORD, List.of());

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  @Test
  void liveRunIsNotCleanedUp() throws Exception {
    directory(OWN).writeJson(Staging.OTHERS, List.of(KILLED.toString()));

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  private void inSession(RunSummary.@Nullable End end) throws IOException {
    RunSummary summary = RunSummary.of(KILLED.toString(), PLAN, Instant.EPOCH).in(SESSION);
    directory(KILLED).writeJson(Staging.SUMMARY, end == null ? summary : summary.ended(end));
  }

  @Test
  void liveRunOfASessionIsNotCleanedUp() throws Exception {
    inSession(null);
    directory(OWN).writeJson(Staging.OTHERS, List.of(SESSION));

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  @Test
  void runOfAnEndedSessionIsCleanedUp() throws Exception {
    inSession(null);
    directory(OWN).writeJson(Staging.OTHERS, List.of("application_7_0098"));

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void endedRunOfALiveSessionIsCleanedUp() throws Exception {
    inSession(new RunSummary.End(RunState.CANCELLED, "2026-01-01T00:00:00Z", 0, 0, 0, 0, 0, "x"));
    directory(OWN).writeJson(Staging.OTHERS, List.of(SESSION));

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void laterRunIsNotCleanedUp() throws Exception {
    writeOutput(KILLED, Staging.STATUS, 2_000);

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  @Test
  void onlyIncompleteCommitsOfRunsBeforeAnRmRestartAreRolledBack() throws Exception {
    ApplicationId other = ApplicationId.newInstance(6, 2);
    fs.rename(directory(KILLED).directory(), directory(other).directory());
    fs.delete(new Path("/data"), true);
    halfCommit(other);
    Path another = new Path("/data/a.weir-" + AttemptLabels.run(other) + "1-2");
    fs.create(another).close();

    cleanUp(other);

    assertThat(countTemporaryFiles()).isEqualTo(1);
    assertThat(fs.exists(another)).isTrue();
  }

  @Test
  void nothingIsRemovedIfLiveRunsAreUnknown() throws Exception {
    fs.delete(directory(OWN).file(Staging.OTHERS), false);

    cleanUp(KILLED);

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }
}
