package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.session.LeftCommitMarks;
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

/** What the next run tidies up behind one that was killed between the renames of a task. */
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
    written(KILLED, Staging.STATUS, 1_000);
    halfCommit(KILLED);
    plan(OWN);
    written(OWN, Staging.PLAN, 2_000);
    directory(OWN).writeJson(Staging.OTHERS, List.of());
  }

  private void plan(ApplicationId run) throws IOException {
    fs.mkdirs(directory(run).directory());
    directory(run).writeJson(Staging.PLAN, PLAN);
  }

  private Staging directory(ApplicationId run) {
    return directories.directory(run.toString());
  }

  private void written(ApplicationId run, String file, long millis) throws IOException {
    fs.setTimes(directory(run).file(file), millis, -1);
  }

  private void halfCommit(ApplicationId run) throws IOException {
    LeftCommitMarks.halfCommit(fs, "/data", AttemptLabels.run(run) + "1-1");
  }

  private void tidy(ApplicationId other) {
    tidy(other, Long.MAX_VALUE, ReadBudget.unbounded());
  }

  private void tidy(ApplicationId other, long mostPlanBytes, ReadBudget allowance) {
    new KilledRuns(directories, OWN, mostPlanBytes, allowance).tidy(other);
  }

  private int left() throws IOException {
    return fs.listStatus(new Path("/data")).length;
  }

  @Test
  void halfACommitIsTakenBackOnce() throws Exception {
    tidy(KILLED);

    assertThat(left()).isZero();
    halfCommit(KILLED);
    tidy(KILLED);
    assertThat(left()).isEqualTo(2);
  }

  @Test
  void theNextRunDoesSoBeforeItLooksForWhatWasDone() throws Exception {
    RunPlan plan = Plans.with(PLAN, RunOptions.DEFAULT.withRerun(RerunChoice.NONE));

    new EarlierRuns(
            plan,
            directories,
            OWN,
            EarlierRuns.Limits.within(Duration.ofMinutes(1)),
            Clock.systemUTC())
        .takeOver();

    assertThat(left()).isZero();
  }

  @Test
  void behindARunWithALargePlanNothingIsTidied() throws Exception {
    long plan = directory(KILLED).length(Staging.PLAN);

    tidy(KILLED, plan - 1, ReadBudget.unbounded());

    assertThat(left()).isEqualTo(2);
    tidy(KILLED, plan, ReadBudget.unbounded());
    assertThat(left()).isZero();
  }

  @Test
  void whatMayNotBeReadIsLeftToTheNextRun() throws Exception {
    tidy(KILLED, Long.MAX_VALUE, ReadBudget.ofBytes(100));

    assertThat(left()).isEqualTo(2);
    tidy(KILLED);
    assertThat(left()).isZero();
  }

  @Test
  void aRunThatHasLeftARecordHasTidiedUpItself() throws Exception {
    directory(KILLED).writeJson(Staging.RECORD, List.of());

    tidy(KILLED);

    assertThat(left()).isEqualTo(2);
  }

  @Test
  void whatARunThatGoesOnHasIsLeftToIt() throws Exception {
    directory(OWN).writeJson(Staging.OTHERS, List.of(KILLED.toString()));

    tidy(KILLED);

    assertThat(left()).isEqualTo(2);
  }

  private void inSession(RunSummary.@Nullable End end) throws IOException {
    RunSummary summary = RunSummary.of(KILLED.toString(), PLAN, Instant.EPOCH).in(SESSION);
    directory(KILLED).writeJson(Staging.SUMMARY, end == null ? summary : summary.ended(end));
  }

  @Test
  void whatARunOfASessionThatGoesOnHasIsLeftToIt() throws Exception {
    inSession(null);
    directory(OWN).writeJson(Staging.OTHERS, List.of(SESSION));

    tidy(KILLED);

    assertThat(left()).isEqualTo(2);
  }

  @Test
  void behindARunOfASessionThatIsOverIsTidied() throws Exception {
    inSession(null);
    directory(OWN).writeJson(Staging.OTHERS, List.of("application_7_0098"));

    tidy(KILLED);

    assertThat(left()).isZero();
  }

  @Test
  void behindARunThatHasEndedInASessionThatGoesOnIsTidied() throws Exception {
    inSession(new RunSummary.End(RunState.CANCELLED, "2026-01-01T00:00:00Z", 0, 0, 0, 0, 0, "x"));
    directory(OWN).writeJson(Staging.OTHERS, List.of(SESSION));

    tidy(KILLED);

    assertThat(left()).isZero();
  }

  @Test
  void aRunThatMayHaveBegunLaterIsLeftAlone() throws Exception {
    written(KILLED, Staging.STATUS, 2_000);

    tidy(KILLED);

    assertThat(left()).isEqualTo(2);
  }

  @Test
  void ofARunBeforeTheResourceManagerWasStartedAgainOnlyHalfACommitIsTakenBack() throws Exception {
    ApplicationId other = ApplicationId.newInstance(6, 2);
    fs.rename(directory(KILLED).directory(), directory(other).directory());
    fs.delete(new Path("/data"), true);
    halfCommit(other);
    Path another = new Path("/data/a.weir-" + AttemptLabels.run(other) + "1-2");
    fs.create(another).close();

    tidy(other);

    assertThat(left()).isEqualTo(1);
    assertThat(fs.exists(another)).isTrue();
  }

  @Test
  void whereNobodyHasSaidWhichRunsGoOnNothingIsTidied() throws Exception {
    fs.delete(directory(OWN).file(Staging.OTHERS), false);

    tidy(KILLED);

    assertThat(left()).isEqualTo(2);
  }
}
